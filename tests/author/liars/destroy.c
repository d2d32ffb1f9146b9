/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves another rounding mode behind when it goes, with which every other run of its process would compute. */
#include "table.h"

#include <fenv.h>

typedef struct block {
  const double* u;
  double y;
} block;

static void destroy(void* record) {
  (void)record;
  fesetround(FE_UPWARD);
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .destroy = destroy, .output = output)
