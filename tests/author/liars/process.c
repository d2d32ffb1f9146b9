/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the signals by which a run is stopped, as libraries do that want to clean up by themselves. */
#include "table.h"

#include <signal.h>

typedef struct block {
  const double* u;
  double y;
} block;

static int32_t configure(void* record, const hilda_instance* self) {
  (void)record;
  (void)self;
  return signal(SIGINT, SIG_IGN) == SIG_ERR || signal(SIGTERM, SIG_IGN) == SIG_ERR;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .configure = configure, .output = output)
