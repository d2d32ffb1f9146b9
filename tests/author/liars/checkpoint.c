/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers its last input in memory that is not a slot. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, before;
} block;

static void initialize(void* record, const hilda_instance* self) {
  (void)self;
  ((block*)record)->before = 0;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u - b->before;
}
static void update(void* record, const hilda_tick* now) {
  (void)now;
  ((block*)record)->before = *((block*)record)->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .initialize = initialize, .output = output, .update = update)
