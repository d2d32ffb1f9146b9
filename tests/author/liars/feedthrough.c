/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares that it reads its input in update, and reads it in output too, but only now and then. */
#include "table.h"

typedef struct block {
  const double* u;
  double y, held;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  b->y = now->index % 30 == 29 ? *b->u : b->held;
}
static void update(void* record, const hilda_tick* now) {
  (void)now;
  ((block*)record)->held = *((block*)record)->u;
}

static const hilda_slot slots[] = {INPUT(block, u, HILDA_IN_UPDATE), OUTPUT(block, y, 0), STATE(block, held)};
LIAR(block, slots, .output = output, .update = update)
