/* A spring and a damper: reads the port "state" of a cart, whose parts are two slots with a dot in their names. */
#include <hilda/abi.h>
#include <math.h>

typedef struct brake {
  const double* position; /* input "state.position" */
  const double* velocity; /* input "state.velocity" */
  double force;           /* output */
  double stiffness;       /* parameter */
  double damping;         /* parameter */
} brake;

static void brake_output(void* record, const hilda_tick* now) {
  brake* block = record;
  (void)now;
  block->force = -block->stiffness * *block->position - block->damping * *block->velocity;
}

static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "state.position",
     .shape = "",
     .unit = "m",
     .doc = "Along the rail",
     .offset = offsetof(brake, position)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "state.velocity",
     .shape = "",
     .unit = "m/s",
     .doc = "Along the rail",
     .offset = offsetof(brake, velocity)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "force",
     .shape = "",
     .unit = "N",
     .doc = "On the cart",
     .offset = offsetof(brake, force)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_LIVE,
     .name = "stiffness",
     .shape = "",
     .unit = "N/m",
     .doc = "Of the spring",
     .minimum = 0,
     .maximum = INFINITY,
     .offset = offsetof(brake, stiffness)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_LIVE,
     .name = "damping",
     .shape = "",
     .unit = "N s/m",
     .doc = "Of the damper",
     .minimum = 0,
     .maximum = INFINITY,
     .offset = offsetof(brake, damping)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Brake",
    .doc = "A spring and a damper at the origin of the rail.",
    .record_size = sizeof(brake),
    .record_align = _Alignof(brake),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .output = brake_output,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = 0, /* the lowest version that has all that is used here */
    .type_stride = sizeof *types,
    .name = "carts_in_c",
    .version = "0.1",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
