/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates in the loop, once it has run for a while. */
#include "table.h"
#include <stdlib.h>

typedef struct block {
  const double* u;
  double y;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  double* volatile copy = now->index > 20 ? malloc(sizeof *copy) : NULL;
  b->y = *b->u;
  if (copy != NULL) *copy = b->y;
  free(copy);
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output)
