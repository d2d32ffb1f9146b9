/* SPDX-License-Identifier: BSD-3-Clause */
/* Two libraries made of this file have every symbol in common, all of them exported: each must see its own. */
#include <hilda/abi.h>

#ifndef TWIN_LIBRARY
HILDA_EXPORT extern double twin_factor;
double twin_factor = TWIN_FACTOR;
#endif
HILDA_EXPORT double twin_scale(double u);
#ifdef TWIN_LIBRARY
double library_factor(void); /* of the libfactor.so.1 that it is linked with */
double twin_scale(double u) { return library_factor() * u; }
#else
double twin_scale(double u) { return twin_factor * u; }
#endif

typedef struct twin {
  const double* u;
  double y;
} twin;

static void twin_output(void* record, const hilda_tick* now) {
  twin* self = record;
  (void)now;
  self->y = twin_scale(*self->u);
}

static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "u",
     .shape = "",
     .unit = "",
     .doc = "Signal",
     .offset = offsetof(twin, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "y",
     .shape = "",
     .unit = "",
     .doc = "Scaled by the library's own factor",
     .offset = offsetof(twin, y)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Twin",
    .doc = "Multiplies by a global of its library.",
    .record_size = sizeof(twin),
    .record_align = _Alignof(twin),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .output = twin_output,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = HILDA_ABI_MINOR,
    .type_stride = sizeof *types,
    .name = TWIN_NAME,
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
