/* SPDX-License-Identifier: BSD-3-Clause */
/* Does not come back. */
#include "table.h"
#include <unistd.h>

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  while (now->index == 10) pause();
  b->y = *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output)
