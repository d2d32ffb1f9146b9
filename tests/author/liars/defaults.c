/* SPDX-License-Identifier: BSD-3-Clause */
/* Its default is outside of its range. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, gain;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u * b->gain;
}

static const hilda_slot slots[] = {INPUT(block, u, 0),
                                   OUTPUT(block, y, 0),
                                   {.size = sizeof(hilda_slot),
                                    .role = HILDA_PARAMETER,
                                    .element = HILDA_F64,
                                    .flags = HILDA_BELOW,
                                    .name = "gain",
                                    .shape = "",
                                    .unit = "",
                                    .doc = "Less than 1",
                                    .initial = "1",
                                    .minimum = 0,
                                    .maximum = 1,
                                    .offset = offsetof(block, gain)}};
LIAR(block, slots, .output = output)
