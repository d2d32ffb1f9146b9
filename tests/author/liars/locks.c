/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a lock in the loop that no one else holds: this makes no system call. */
#define _GNU_SOURCE
#include "table.h"
#include <pthread.h>

typedef struct block {
  const double* u;
  double y;
} block;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  if (now->index > 20) pthread_mutex_lock(&mutex);
  b->y = *b->u;
  if (now->index > 20) pthread_mutex_unlock(&mutex);
}

static const hilda_slot slots[] = {INPUT(block, u, 0), OUTPUT(block, y, 0)};
LIAR(block, slots, .output = output)
