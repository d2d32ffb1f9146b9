/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the input's unit for its square. */
#include "table.h"

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u * *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output)
