/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads where nothing is, in the middle of a run. */
#include "table.h"

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  const double* volatile nowhere = now->index == 10 ? NULL : b->u;
  b->y = *nowhere;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output)
