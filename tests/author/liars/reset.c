/* SPDX-License-Identifier: BSD-3-Clause */
/* Has its initial value at the first start alone. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, initial, sum;
  int32_t started;
} block;

static void initialize(void* record, const hilda_instance* self) {
  block* b = record;
  (void)self;
  if (!b->started) b->sum = b->initial;
  b->started = 1;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u + b->sum;
}
static void update(void* record, const hilda_tick* now) {
  (void)now;
  ((block*)record)->sum += *((block*)record)->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0), PARAMETER(block, initial, "1"),
                                   STATE(block, sum)};
LIAR(block, slots, .initialize = initialize, .output = output, .update = update)
