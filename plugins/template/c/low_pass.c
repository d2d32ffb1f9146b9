/* First-order low-pass filter, exact for an input that is held over a sample time T:
 *   y(k+1) = y(k) + (1 - exp(-T / tau)) (u(k) - y(k)) */
#include <hilda/abi.h>
#include <math.h>

/* The record. hilda makes it in its own memory; every slot below names a member by its offset. */
typedef struct low_pass {
  const double* u;      /* input: points to the source's output */
  double y;             /* output */
  double time_constant; /* parameter, s */
  double initial;       /* parameter */
  double filtered;      /* state: all that the block remembers */
  double share;         /* no slot: follows from parameters, by prepare */
} low_pass;

static void low_pass_prepare(void* record, const hilda_instance* self) {
  low_pass* block = record;
  block->share = -expm1(-self->period / block->time_constant);
}

static void low_pass_initialize(void* record, const hilda_instance* self) {
  low_pass* block = record;
  (void)self;
  block->filtered = block->initial;
}

static void low_pass_state_output(void* record, const hilda_tick* now) {
  low_pass* block = record;
  (void)now;
  block->y = block->filtered;
}

static void low_pass_update(void* record, const hilda_tick* now) {
  low_pass* block = record;
  (void)now;
  block->filtered += block->share * (*block->u - block->filtered);
}

/* `@u` is whatever unit the input has. The input is read in update alone, so this block may close a loop. */
static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .flags = HILDA_IN_UPDATE,
     .name = "u",
     .shape = "",
     .unit = "@u",
     .doc = "Signal",
     .offset = offsetof(low_pass, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .flags = HILDA_STATE_OUTPUT,
     .name = "y",
     .shape = "",
     .unit = "@u",
     .doc = "The signal behind the filter",
     .offset = offsetof(low_pass, y)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_ABOVE | HILDA_LIVE,
     .name = "time_constant",
     .shape = "",
     .unit = "s",
     .doc = "tau",
     .minimum = 0,
     .maximum = INFINITY,
     .offset = offsetof(low_pass, time_constant)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .name = "initial",
     .shape = "",
     .unit = "@u",
     .doc = "Output at the first tick",
     .initial = "0",
     .minimum = -INFINITY,
     .maximum = INFINITY,
     .offset = offsetof(low_pass, initial)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_STATE,
     .element = HILDA_F64,
     .name = "filtered",
     .shape = "",
     .unit = "@u",
     .doc = "The next output",
     .offset = offsetof(low_pass, filtered)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "LowPass",
    .doc = "Follows a signal with a first-order lag.",
    .record_size = sizeof(low_pass),
    .record_align = _Alignof(low_pass),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .prepare = low_pass_prepare,
    .initialize = low_pass_initialize,
    .state_output = low_pass_state_output,
    .update = low_pass_update,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = 0, /* the lowest version that has all that is used here: docs/abi.md says what is newer */
    .type_stride = sizeof *types,
    .name = "template_plugin",
    .version = "0.1",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
