/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries its state on in output instead of in update. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, sum;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->sum += *b->u;
  b->y = b->sum;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0), STATE(block, sum)};
LIAR(block, slots, .output = output)
