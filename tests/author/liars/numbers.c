/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives something that is not a number for numbers, once. */
#include "table.h"

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  b->y = now->index == 50 ? NAN : *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output)
