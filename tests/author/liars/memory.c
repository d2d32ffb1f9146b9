/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one number behind the end of an output whose size the diagram decides. */
#include "table.h"

typedef struct block {
  hilda_view u;
  hilda_array y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  for (int32_t i = 0; i <= b->y.rows; ++i) ((double*)b->y.data)[i] = i < b->u.rows ? ((const double*)b->u.data)[i] : 0;
}

#define VECTOR(role_, member)                                                                                          \
  {                                                                                                                    \
    .size = sizeof(hilda_slot), .role = role_, .element = HILDA_F64, .flags = HILDA_BOUND, .name = #member,            \
    .shape = "n", .unit = "@u", .doc = "Of a liar", .minimum = -INFINITY, .maximum = INFINITY,                         \
    .offset = offsetof(block, member)                                                                                  \
  }
static const hilda_slot slots[] = {VECTOR(HILDA_INPUT, u), VECTOR(HILDA_OUTPUT, y)};
LIAR(block, slots, .output = output)
