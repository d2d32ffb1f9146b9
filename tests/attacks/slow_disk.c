/* SPDX-License-Identifier: BSD-3-Clause */
// A disk that takes its time: preloaded, each write and each fsync waits up to HILDA_SLOW_DISK microseconds first, and
// some writes take only a part of what they are given.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static unsigned next_number(void) {
  static unsigned state = 1;
  unsigned seen = __atomic_load_n(&state, __ATOMIC_RELAXED) * 1664525U + 1013904223U;
  __atomic_store_n(&state, seen, __ATOMIC_RELAXED);
  return seen >> 8;
}

static void wait_a_little(void) {
  const char* most = getenv("HILDA_SLOW_DISK");
  const long limit = most ? atol(most) : 0;
  if (limit <= 0) return;
  const long nanoseconds = (long)(next_number() % (unsigned long)limit) * 1000;
  const struct timespec pause = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  nanosleep(&pause, NULL);
}

static size_t share(size_t bytes) { return bytes > 1 && next_number() % 4 == 0 ? bytes / 2 : bytes; }

ssize_t write(int file, const void* data, size_t bytes) {
  static ssize_t (*real)(int, const void*, size_t);
  if (!real) *(void**)(&real) = dlsym(RTLD_NEXT, "write");
  if (file <= STDERR_FILENO) return real(file, data, bytes);
  wait_a_little();
  return real(file, data, share(bytes));
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t place) {
  static ssize_t (*real)(int, const void*, size_t, off_t);
  if (!real) *(void**)(&real) = dlsym(RTLD_NEXT, "pwrite");
  wait_a_little();
  return real(file, data, share(bytes), place);
}

ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t place) { return pwrite(file, data, bytes, place); }

int fsync(int file) {
  static int (*real)(int);
  if (!real) *(void**)(&real) = dlsym(RTLD_NEXT, "fsync");
  wait_a_little();
  return real(file);
}
