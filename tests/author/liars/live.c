/* SPDX-License-Identifier: BSD-3-Clause */
/* Says that its gain is live, and reads it in configure alone. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, gain, kept;
} block;

static int32_t configure(void* record, const hilda_instance* self) {
  block* b = record;
  (void)self;
  b->kept = b->gain;
  return 0;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u * b->kept;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0),
                                   SLOT(HILDA_PARAMETER, block, gain, HILDA_LIVE, "1", "2")};
LIAR(block, slots, .configure = configure, .output = output)
