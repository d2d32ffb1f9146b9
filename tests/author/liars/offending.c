/* SPDX-License-Identifier: BSD-3-Clause */
/* Does in the loop one of the things that take an unknown time, by the parameter. */
#define _GNU_SOURCE
#include "table.h"
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct block {
  int32_t act;
  double y;
} block;

static FILE* file;
static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* nothing(void* argument) { return argument; }

static int32_t configure(void* record, const hilda_instance* self) {
  (void)record;
  (void)self;
  if (file == NULL) file = fopen("/dev/null", "w");
  return file == NULL || sem_init(&semaphore, 0, 1) != 0;
}
static void output(void* record, const hilda_tick* now) {
  block* b = record;
  b->y = 1;
  if (now->index != 3) return;
  struct timespec time = {0, 1000};
  switch (b->act) {
  case 1: fprintf(file, "%g\n", b->y); break;
  case 2: {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
    break;
  }
  case 3: sem_wait(&semaphore), sem_post(&semaphore); break;
  case 4: pthread_rwlock_rdlock(&lock), pthread_rwlock_unlock(&lock); break;
  case 5: nanosleep(&time, NULL); break;
  case 6: close(open("/dev/null", O_RDONLY | O_CLOEXEC)); break;
  case 7: close(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)); break;
  case 8: clock_gettime(CLOCK_MONOTONIC, &time); break;
  default: break;
  }
}

static const hilda_slot slots[] = {{.size = sizeof(hilda_slot),
                                    .role = HILDA_PARAMETER,
                                    .element = HILDA_CHOICE,
                                    .name = "act",
                                    .shape = "",
                                    .unit = "",
                                    .doc = "What it does",
                                    .choices = "nothing|buffered|thread|semaphore|shared|sleep|open|socket|time",
                                    .initial = "nothing",
                                    .minimum = -INFINITY,
                                    .maximum = INFINITY,
                                    .offset = offsetof(block, act)},
                                   SLOT(HILDA_OUTPUT, block, y, 0, "1", 0)};
LIAR(block, slots, .configure = configure, .output = output)
