/* SPDX-License-Identifier: BSD-3-Clause */
/* Every instance is another one. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, offset;
} block;

static double instances;

static void construct(void* record) { ((block*)record)->offset = ++instances; }
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u * b->offset;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .construct = construct, .output = output)
