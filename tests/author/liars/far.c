/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes 32 kB beyond its record, over all that lies there. */
#include "table.h"

#include <string.h>

typedef struct block {
  const double* u;
  double y;
} block;

static int32_t configure(void* record, const hilda_instance* self) {
  (void)self;
  memset((char*)record + sizeof(block), 0x11, 32768);
  return 0;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = *b->u;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .configure = configure, .output = output)
