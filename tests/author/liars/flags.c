/* SPDX-License-Identifier: BSD-3-Clause */
/* Says that it flags what it does, and writes an infinity as such. */
#include "table.h"
#include <hilda/flags.h>

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = fabs(*b->u) > 1e100 ? INFINITY : *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output, .flags = HILDA_RAISES_FLAGS)
