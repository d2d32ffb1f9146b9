/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves only the first of many records. */
#include "table.h"

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u;
}
static void output_many(void* first, uint64_t stride, uint64_t count, const hilda_tick* now) {
  (void)stride, (void)count;
  output(first, now);
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output, .output_many = output_many)
