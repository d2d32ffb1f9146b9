/* Play in a gear: the output does not move until the input has crossed the gap,
 * y(k) = min(max(y(k-1), u - w/2), u + w/2). */
#include <hilda/abi.h>
#include <math.h>

/* The record: hilda makes it in its own memory, and fills in parameters and inputs. */
typedef struct backlash {
  const double* u; /* input: points to what drives it */
  double y;        /* output */
  double width;    /* parameter */
  double last;     /* state */
} backlash;

static void backlash_output(void* record, const hilda_tick* now) {
  backlash* block = record;
  const double lowest = *block->u - block->width / 2, highest = *block->u + block->width / 2;
  (void)now;
  block->y = block->last < lowest ? lowest : block->last > highest ? highest : block->last;
}

static void backlash_update(void* record, const hilda_tick* now) {
  backlash* block = record;
  (void)now;
  block->last = block->y;
}

/* What a name means, and where it lies in the record. */
static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "u",
     .shape = "",
     .unit = "@u",
     .doc = "Position of the driving wheel",
     .offset = offsetof(backlash, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "y",
     .shape = "",
     .unit = "@u",
     .doc = "Position of the driven wheel",
     .offset = offsetof(backlash, y)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_LIVE,
     .name = "width",
     .shape = "",
     .unit = "@u",
     .doc = "Of the gap, w",
     .minimum = 0,
     .maximum = INFINITY,
     .offset = offsetof(backlash, width)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_STATE,
     .element = HILDA_F64,
     .name = "last",
     .shape = "",
     .unit = "@u",
     .doc = "The output one tick ago",
     .offset = offsetof(backlash, last)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Backlash",
    .doc = "Play in a gear: does not move until its input has crossed a gap.",
    .record_size = sizeof(backlash),
    .record_align = _Alignof(backlash),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .output = backlash_output,
    .update = backlash_update,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = 0, /* the lowest version that has all that is used here */
    .type_stride = sizeof *types,
    .name = "gears_in_c",
    .version = "0.1",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
