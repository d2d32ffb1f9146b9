// SPDX-License-Identifier: BSD-3-Clause
// What was caught, and the text that is left at the program's end in the file that HILDA_TRAP_REPORT names.
#include "watch.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>

namespace hilda::trap {
namespace {

constexpr int frames_kept = 32;
constexpr int offences_kept = 64;

struct Offence {
  const char* what;
  char block[160];
  void* frames[frames_kept];
  int depth;
  long count;
};

Offence offences[offences_kept];
int kept = 0;
long beyond_those = 0;
std::atomic<int> loops{0};
std::atomic<bool> calls_watched{true};

/// Guards `offences`. A spin lock: a mutex would be caught by the trap.
std::atomic_flag taken = ATOMIC_FLAG_INIT;

bool same(const Offence& a, const Offence& b) {
  return std::strcmp(a.what, b.what) == 0 && std::strcmp(a.block, b.block) == 0 && a.depth == b.depth &&
         std::memcmp(a.frames, b.frames, static_cast<std::size_t>(a.depth) * sizeof a.frames[0]) == 0;
}

void keep(const Offence& offence) {
  for (int i = 0; i < kept; ++i) {
    if (same(offences[i], offence)) {
      ++offences[i].count;
      return;
    }
  }
  if (kept < offences_kept)
    offences[kept++] = offence;
  else
    ++beyond_those;
}

/// One line for a frame: function, file and line by addr2line, or module and offset where that is not installed.
void print_frame(std::FILE* out, void* frame) {
  Dl_info found{};
  Dl_info self{};
  if (dladdr(frame, &found) == 0 || found.dli_fname == nullptr) return;
  if (dladdr(reinterpret_cast<void*>(&print_frame), &self) != 0 && found.dli_fbase == self.dli_fbase) return;
  const auto offset = static_cast<unsigned long>(static_cast<char*>(frame) - static_cast<char*>(found.dli_fbase)) - 1;
  char text[1024] = "";
  std::snprintf(text, sizeof text, "addr2line -Cfpe '%s' 0x%lx 2>/dev/null", found.dli_fname, offset);
  std::FILE* const pipe = popen(text, "r");
  text[0] = '\0';
  if (pipe != nullptr) {
    if (std::fgets(text, sizeof text, pipe) == nullptr) text[0] = '\0';
    pclose(pipe);
  }
  if (text[0] == '\0' || text[0] == '?') {
    const char* const symbol = found.dli_sname != nullptr ? found.dli_sname : "?";
    std::snprintf(text, sizeof text, "%s (%s+0x%lx)\n", symbol, found.dli_fname, offset);
  }
  std::fprintf(out, "    %s", text);
}

void write_report(std::FILE* out) {
  std::fprintf(out, "loops watched: %d\n", loops.load());
  std::fprintf(out, "system calls watched: %s\n", calls_watched.load() ? "yes" : "no");
  std::fprintf(out, "offences: %d\n", kept);
  for (int i = 0; i < kept; ++i) {
    const Offence& offence = offences[i];
    std::fprintf(out, "offence: %s\n  block: %s\n  times: %ld\n  called from:\n", offence.what, offence.block,
                 offence.count);
    for (int frame = 0; frame < offence.depth; ++frame) print_frame(out, offence.frames[frame]);
  }
  if (beyond_those > 0) std::fprintf(out, "and more, not kept: %ld\n", beyond_those);
}

/// The first backtrace loads libgcc, which allocates: not in the loop, then.
__attribute__((constructor)) void warm_up() {
  void* frames[2];
  backtrace(frames, 2);
}

/// Only a process that had a loop has a report: a shell in between would overwrite it.
__attribute__((destructor)) void report() {
  if (loops.load() == 0) return;
  unsetenv("LD_PRELOAD"); // addr2line is none of the trap's business
  const char* const path = std::getenv("HILDA_TRAP_REPORT");
  if (path == nullptr) {
    if (kept > 0) write_report(stderr);
    return;
  }
  std::FILE* const out = std::fopen(path, "w");
  if (out == nullptr) return;
  write_report(out);
  std::fclose(out);
}

} // namespace

void record(const char* what) {
  Offence offence{};
  offence.what = what;
  const char* const block = watch.running != nullptr ? watch.running(watch.context) : nullptr;
  std::snprintf(offence.block, sizeof offence.block, "%s", block != nullptr ? block : "(none)");
  offence.depth = backtrace(offence.frames, frames_kept);
  offence.count = 1;
  while (taken.test_and_set(std::memory_order_acquire)) {}
  keep(offence);
  taken.clear(std::memory_order_release);
}

void count_loop() { ++loops; }

void system_calls_unwatched() { calls_watched = false; }

} // namespace hilda::trap
