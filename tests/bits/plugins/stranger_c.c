/* SPDX-License-Identifier: BSD-3-Clause */
/* A block in plain C that calls the mathematical functions. */
#include <hilda/abi.h>
#include <math.h>

typedef struct functions {
  const double* u;
  double y[12];
} functions;

static void functions_output(void* record, const hilda_tick* now) {
  functions* block = record;
  const double x = *block->u, within = sin(x), above = 1 + fabs(x);
  (void)now;
  block->y[0] = within;
  block->y[1] = cos(x);
  block->y[2] = tan(x);
  block->y[3] = asin(within);
  block->y[4] = atan2(x, within);
  block->y[5] = exp(within);
  block->y[6] = log(above);
  block->y[7] = pow(above, within);
  block->y[8] = tanh(x);
  block->y[9] = hypot(x, within);
  block->y[10] = lgamma(above);
  block->y[11] = expm1(within);
}

static const hilda_slot slots[] = {{.size = sizeof(hilda_slot),
                                    .role = HILDA_INPUT,
                                    .element = HILDA_F64,
                                    .name = "u",
                                    .shape = "",
                                    .unit = "1",
                                    .doc = "Argument",
                                    .offset = offsetof(functions, u)},
                                   {.size = sizeof(hilda_slot),
                                    .role = HILDA_OUTPUT,
                                    .element = HILDA_F64,
                                    .name = "y",
                                    .shape = "12",
                                    .unit = "1",
                                    .doc = "Values",
                                    .offset = offsetof(functions, y)}};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Functions",
    .doc = "Functions of <math.h>.",
    .record_size = sizeof(functions),
    .record_align = _Alignof(functions),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .output = functions_output,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = HILDA_ABI_MINOR,
    .type_stride = sizeof *types,
    .name = STRANGER_NAME,
    .version = "1.0",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
