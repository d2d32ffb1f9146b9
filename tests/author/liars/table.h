// SPDX-License-Identifier: BSD-3-Clause
/* What all liars have in common: a block with an input u, an output y and what else each needs, in as few lines as a
 * table can have. */
#ifndef LIAR_TABLE_H
#define LIAR_TABLE_H

#include <hilda/abi.h>
#include <math.h>

#define SLOT(role_, record_, member, flags_, unit_, initial_)                                                          \
  {                                                                                                                    \
    .size = sizeof(hilda_slot), .role = role_, .element = HILDA_F64, .flags = flags_, .name = #member, .shape = "",    \
    .unit = unit_, .doc = "Of a liar", .initial = initial_, .minimum = -INFINITY, .maximum = INFINITY,                 \
    .offset = offsetof(record_, member)                                                                                \
  }
#define INPUT(record_, member, flags_) SLOT(HILDA_INPUT, record_, member, flags_, "@u", 0)
#define OUTPUT(record_, member, flags_) SLOT(HILDA_OUTPUT, record_, member, flags_, "@u", 0)
#define STATE(record_, member) SLOT(HILDA_STATE, record_, member, 0, "@u", 0)
#define PARAMETER(record_, member, initial_) SLOT(HILDA_PARAMETER, record_, member, 0, "@u", initial_)

/* The plugin around one block. LIAR_NAME is the plugin's name, by the build; the rest are its functions. */
#define LIAR(record_, slots_, ...)                                                                                     \
  static const hilda_block_type types[] = {{.size = sizeof(hilda_block_type),                                          \
                                            .name = "Block",                                                           \
                                            .doc = "Makes a false claim.",                                             \
                                            .record_size = sizeof(record_),                                            \
                                            .record_align = _Alignof(record_),                                         \
                                            .slots = slots_,                                                           \
                                            .slot_count = sizeof slots_ / sizeof *slots_,                              \
                                            .slot_stride = sizeof *slots_,                                             \
                                            __VA_ARGS__}};                                                             \
  static const hilda_plugin plugin = {.size = sizeof(hilda_plugin),                                                    \
                                      .abi_major = HILDA_ABI_MAJOR,                                                    \
                                      .abi_minor = HILDA_ABI_MINOR,                                                    \
                                      .type_stride = sizeof *types,                                                    \
                                      .name = LIAR_NAME,                                                               \
                                      .version = "1",                                                                  \
                                      .built = "C",                                                                    \
                                      .types = types,                                                                  \
                                      .type_count = 1};                                                                \
  HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);                                                           \
  HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }

#endif
