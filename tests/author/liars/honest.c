/* SPDX-License-Identifier: BSD-3-Clause */
/* An honest block: every check must let it pass. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, initial, sum, twice;
} block;

static void prepare(void* record, const hilda_instance* self) {
  (void)self;
  ((block*)record)->twice = 2 * ((block*)record)->initial;
}
static void initialize(void* record, const hilda_instance* self) {
  (void)self;
  ((block*)record)->sum = ((block*)record)->twice;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u + b->sum;
}
static void output_many(void* first, uint64_t stride, uint64_t count, const hilda_tick* now) {
  for (uint64_t i = 0; i < count; ++i) output((char*)first + i * stride, now);
}
static void update(void* record, const hilda_tick* now) {
  (void)now;
  ((block*)record)->sum += *((block*)record)->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0), PARAMETER(block, initial, "1"),
                                   STATE(block, sum)};
LIAR(block, slots, .prepare = prepare, .initialize = initialize, .output = output, .update = update,
     .output_many = output_many)
