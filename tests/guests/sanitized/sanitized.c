/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what it has freed, where the AddressSanitizer looks. */
#include <hilda/abi.h>
#include <math.h>
#include <stdlib.h>

typedef struct record {
  double y;
} record;

static int32_t configure(void* of, const hilda_instance* self) {
  volatile double* gone = malloc(sizeof(double));
  (void)self;
  free((void*)gone);
  ((record*)of)->y = *gone;
  return 0;
}
static void output(void* of, const hilda_tick* now) {
  (void)now;
  ((record*)of)->y = 0;
}

static const hilda_slot slots[] = {{.size = sizeof(hilda_slot),
                                    .role = HILDA_OUTPUT,
                                    .element = HILDA_F64,
                                    .name = "y",
                                    .shape = "",
                                    .unit = "1",
                                    .doc = "0",
                                    .minimum = -INFINITY,
                                    .maximum = INFINITY,
                                    .offset = offsetof(record, y)}};
static const hilda_block_type type = {.size = sizeof(hilda_block_type),
                                      .name = "Block",
                                      .doc = "Reads what it has freed.",
                                      .record_size = sizeof(record),
                                      .record_align = _Alignof(record),
                                      .slots = slots,
                                      .slot_count = 1,
                                      .slot_stride = sizeof(hilda_slot),
                                      .configure = configure,
                                      .output = output};
static const hilda_plugin plugin = {.size = sizeof(hilda_plugin),
                                    .abi_major = HILDA_ABI_MAJOR,
                                    .abi_minor = HILDA_ABI_MINOR,
                                    .type_stride = sizeof type,
                                    .name = "sanitized",
                                    .version = "1",
                                    .built = "C",
                                    .types = &type,
                                    .type_count = 1};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
