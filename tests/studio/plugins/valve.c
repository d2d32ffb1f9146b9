/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits without the C++ headers: what opens a valve is at most fully_open, and has no lower limit. */
#include <hilda/limits.h>
#include <math.h>
#include <string.h>

typedef struct valve {
  const double* demand;
  double opening;
  double fully_open;
} valve;

static void valve_output(void* record, const hilda_tick* now) {
  valve* block = record;
  (void)now;
  block->opening = fmin(*block->demand, block->fully_open);
}

static const hilda_limit limit = {"opening", NULL, "fully_open"};
static const hilda_limits_1 limits = {sizeof(hilda_limits_1), sizeof(hilda_limit), &limit, 1};

static const void* valve_extension(const char* name) { return strcmp(name, "hilda.limits/1") == 0 ? &limits : NULL; }

static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "demand",
     .shape = "",
     .unit = "m",
     .doc = "Demanded opening",
     .offset = offsetof(valve, demand)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "opening",
     .shape = "",
     .unit = "m",
     .doc = "How far it is open",
     .offset = offsetof(valve, opening)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_LIVE,
     .name = "fully_open",
     .shape = "",
     .unit = "m",
     .doc = "Largest opening",
     .minimum = 0,
     .maximum = INFINITY,
     .offset = offsetof(valve, fully_open)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Valve",
    .doc = "A valve that opens as demanded, up to its largest opening.",
    .record_size = sizeof(valve),
    .record_align = _Alignof(valve),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .output = valve_output,
    .extension = valve_extension,
}};
static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = HILDA_ABI_MINOR,
    .type_stride = sizeof *types,
    .name = "valve",
    .version = "1.0",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
