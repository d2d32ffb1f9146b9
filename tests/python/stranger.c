/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that the tests of Python build again and again: STRANGER is its name, FACTOR distinguishes one build from
 * another.
 */
#include <hilda/abi.h>

#include <math.h>
#include <stddef.h>

typedef struct scale {
  double gain;
  double y;
} scale;

static void scale_prepare(void* record, const hilda_instance* self) {
  const scale* it = record;
  if (it->gain == 3) self->warn(self->engine, "gain", "is three, which brings no luck");
}

static void scale_output(void* record, const hilda_tick* now) {
  scale* it = record;
  (void)now;
  it->y = FACTOR * it->gain;
}

static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_LIVE,
     .name = "gain",
     .shape = "",
     .unit = "1",
     .doc = "Number",
     .initial = "1",
     .minimum = -INFINITY,
     .maximum = 5,
     .offset = offsetof(scale, gain)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "y",
     .shape = "",
     .unit = "1",
     .doc = "The number, scaled",
     .offset = offsetof(scale, y)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Scale",
    .doc = "Scales a number.",
    .record_size = sizeof(scale),
    .record_align = _Alignof(scale),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .prepare = scale_prepare,
    .output = scale_output,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = HILDA_ABI_MINOR,
    .type_stride = sizeof *types,
    .name = STRANGER,
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
