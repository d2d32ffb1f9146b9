/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns a table that points to nowhere: at its name, at its slots, or all of it, as HILDA_DANGLES says. */
#include <hilda/abi.h>
#include <stdlib.h>
#include <string.h>

typedef struct record {
  double y;
} record;

static void output(void* of, const hilda_tick* now) {
  (void)now;
  ((record*)of)->y = 0;
}

static hilda_block_type type = {.size = sizeof(hilda_block_type),
                                .name = "Block",
                                .doc = "Its table dangles.",
                                .record_size = sizeof(record),
                                .record_align = _Alignof(record),
                                .slot_count = 1,
                                .slot_stride = sizeof(hilda_slot),
                                .output = output};
static hilda_plugin plugin = {.size = sizeof(hilda_plugin),
                              .abi_major = HILDA_ABI_MAJOR,
                              .abi_minor = HILDA_ABI_MINOR,
                              .type_stride = sizeof type,
                              .name = "dangling",
                              .version = "1",
                              .built = "C",
                              .types = &type,
                              .type_count = 1};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) {
  static const uintptr_t nowhere = 4096;
  const char* what = getenv("HILDA_DANGLES");
  if (what != NULL && strcmp(what, "name") == 0) plugin.name = (const char*)nowhere;
  if (what != NULL && strcmp(what, "table") == 0) return (const hilda_plugin*)nowhere;
  type.slots = (const hilda_slot*)nowhere;
  return &plugin;
}
