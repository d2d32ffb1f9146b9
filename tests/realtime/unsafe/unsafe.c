/* SPDX-License-Identifier: BSD-3-Clause */
/* A block that says of itself that its loop functions may wait. */
#include <hilda/abi.h>
#include <math.h>
#include <stddef.h>

typedef struct waits {
  double y;
} waits;
static void output(void* record, const hilda_tick* now) { ((waits*)record)->y = now->time; }
static const hilda_slot slots[] = {{.size = sizeof(hilda_slot),
                                    .role = HILDA_OUTPUT,
                                    .element = HILDA_F64,
                                    .name = "y",
                                    .shape = "",
                                    .unit = "s",
                                    .doc = "Now",
                                    .minimum = -INFINITY,
                                    .maximum = INFINITY,
                                    .offset = offsetof(waits, y)}};
static const hilda_block_type types[] = {{.size = sizeof(hilda_block_type),
                                          .flags = HILDA_REALTIME_UNSAFE,
                                          .name = "Waits",
                                          .doc = "May wait.",
                                          .record_size = sizeof(waits),
                                          .record_align = _Alignof(waits),
                                          .slots = slots,
                                          .slot_count = 1,
                                          .slot_stride = sizeof *slots,
                                          .output = output}};
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) {
  static const hilda_plugin plugin = {.size = sizeof plugin,
                                      .abi_major = HILDA_ABI_MAJOR,
                                      .abi_minor = HILDA_ABI_MINOR,
                                      .type_stride = sizeof *types,
                                      .name = "unsafe",
                                      .version = "1",
                                      .built = "test",
                                      .types = types,
                                      .type_count = 1};
  return &plugin;
}
