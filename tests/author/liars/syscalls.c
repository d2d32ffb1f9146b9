/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to a file in the loop. */
#define _GNU_SOURCE
#include "table.h"
#include <fcntl.h>
#include <unistd.h>

typedef struct block {
  const double* u;
  double y;
  int file;
} block;

static int32_t configure(void* record, const hilda_instance* self) {
  block* b = record;
  (void)self;
  b->file = open("/dev/null", O_WRONLY | O_CLOEXEC);
  return b->file < 0;
}
static void destroy(void* record) {
  block* b = record;
  close(b->file);
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  b->y = *b->u;
  if (now->index > 20 && write(b->file, &b->y, sizeof b->y) < 0) b->y = 0;
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .configure = configure, .output = output, .destroy = destroy)
