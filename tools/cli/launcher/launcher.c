/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning of a program that has the C library in itself (hilda compile --with-libc).
 *
 * It needs no library: it is linked with musl's. It copies loader, C library, C++ library and the head of the program
 * (compiled_head.cpp) into memory, and starts the loader on the head. Descriptors stay open over that; HILDA_COMPILED
 * says where the list of parts is. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* As ProgramMark in program_parts.h. */
struct mark {
  char name[24];
  uint64_t list, list_bytes, list_hash;
};
static const volatile struct mark mark = {"mark of compiled hilda\n", 0, 0, 0};

enum { bad_program = 2, longest_path = 32, most_parts = 32 };

static int wrong(const char* code, const char* what, const char* help) {
  fprintf(stderr, "error[%s]: %s: %s\nhelp: %s\n", code, what, strerror(errno), help);
  return bad_program;
}

static int damaged(void) {
  errno = EIO;
  return wrong("program-damaged", "the program is cut or changed",
               "copy it again from where it is whole; 'sha256sum' on both sides shows whether a copy is");
}

/* A part in memory; its path, or 0. */
static int copied(int file, uint64_t at, uint64_t bytes, const char* name, char path[longest_path]) {
  const int memory = memfd_create(name, 0);
  off_t from = (off_t)at;
  if (memory < 0) return 0;
  while (bytes > 0) {
    const ssize_t sent = sendfile(memory, file, &from, bytes);
    if (sent <= 0 && errno != EINTR) return 0;
    if (sent > 0) bytes -= (uint64_t)sent;
  }
  return snprintf(path, longest_path, "/proc/self/fd/%d", memory);
}

struct opened {
  char loader[longest_path], head[longest_path], libraries[most_parts * longest_path];
};

/* Goes through the list of parts; each line is "KIND AT BYTES HASH UNPACKED NAME". */
static int open_parts(int file, char* list, struct opened* into) {
  for (char* line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    char kind[16], name[64];
    unsigned long long at = 0, bytes = 0;
    if (sscanf(line, "%15s %llu %llu %*u %*u %63s", kind, &at, &bytes, name) != 4) return damaged();
    char path[longest_path] = "";
    char* to = strcmp(kind, "loader") == 0 ? into->loader : strcmp(kind, "head") == 0 ? into->head : path;
    if (to == path && strcmp(kind, "system") != 0) continue;
    if (copied(file, at, bytes, name, to) <= 0)
      return wrong("program-memory", "a part of the program cannot be copied into memory",
                   "allow the program more memory (ulimit -v, cgroup) and files (ulimit -n)");
    if (to != path) continue;
    if (strlen(into->libraries) + longest_path >= sizeof into->libraries) return damaged();
    strcat(strcat(into->libraries, ":"), path);
  }
  return into->loader[0] != '\0' && into->head[0] != '\0' ? 0 : damaged();
}

int main(int count, char** arguments) {
  const int file = open("/proc/self/exe", O_RDONLY);
  if (file < 0)
    return wrong("program-proc", "/proc/self/exe, the program's own file, cannot be opened",
                 "mount /proc (in a chroot: mount -t proc proc ROOT/proc)");
  char* list = calloc(1, mark.list_bytes + 1);
  if (list == NULL || pread(file, list, mark.list_bytes, (off_t)mark.list) != (ssize_t)mark.list_bytes)
    return damaged();
  static struct opened parts;
  const int failed = open_parts(file, list, &parts);
  if (failed != 0) return failed;

  static char where[128];
  snprintf(where, sizeof where, "%d %llu %llu %llu", file, (unsigned long long)mark.list,
           (unsigned long long)mark.list_bytes, (unsigned long long)mark.list_hash);
  setenv("HILDA_COMPILED", where, 1);
  char** words = calloc((size_t)count + 8, sizeof *words);
  if (words == NULL) return damaged();
  const char* before[] = {"hilda", "--preload", parts.libraries + 1, "--argv0", arguments[0], parts.head};
  size_t used = 0;
  for (; used < sizeof before / sizeof *before; ++used) words[used] = (char*)(uintptr_t)before[used];
  for (int i = 1; i < count; ++i) words[used++] = arguments[i];
  execv(parts.loader, words);
  return wrong("program-loader", "the loader that is in the program cannot be started",
               "this computer allows no programs in memory (vm.memfd_noexec), or has another processor");
}
