/* SPDX-License-Identifier: BSD-3-Clause */
/* What it prepares depends on how often it has been asked to. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, factor;
} block;

static void prepare(void* record, const hilda_instance* self) {
  (void)self;
  ((block*)record)->factor += 1;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u * b->factor;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .prepare = prepare, .output = output)
