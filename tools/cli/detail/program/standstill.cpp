// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/standstill.h"

#include "engine/plugin/culprit.h"
#include "engine/plugin/running_code.h"
#include "tools/cli/detail/program/command.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace hilda::cli {
namespace {

constexpr double interval = 0.25; // s
constexpr double first_word = 5;  // s
std::atomic<double> loop_limit{std::numeric_limits<double>::infinity()};
std::atomic<bool> watched{false};

double call_limit() {
  const char* text = std::getenv("HILDA_CALL_LIMIT");
  double limit = 0;
  if (text == nullptr || std::from_chars(text, text + std::strlen(text), limit).ec != std::errc() || !(limit > 0))
    return std::numeric_limits<double>::infinity();
  return limit;
}

void say_standstill(const StandstillWatch::Finding& found, bool ends) {
  if (found.code.count > 1)
    std::fprintf(stderr,
                 "\n%s: one of %llu blocks, %s (%s) and the next of its type, has not come back from %s for %.3g s",
                 ends ? "error" : "warning", static_cast<unsigned long long>(found.code.count), found.block, found.type,
                 found.phase, found.seconds);
  else if (found.block[0] != '\0')
    std::fprintf(stderr, "\n%s: block %s (%s) has not come back from %s for %.3g s", ends ? "error" : "warning",
                 found.block, found.type, found.phase, found.seconds);
  else
    std::fprintf(stderr, "\n%s: the plugin %s has not come back from %s for %.3g s", ends ? "error" : "warning",
                 found.plugin, found.phase, found.seconds);
  if (found.in_loop) std::fprintf(stderr, ", at t = %.9g s", found.time);
  if (ends && found.in_loop)
    if (const RunningCode culprit = culprit_of_standstill(0.5))
      std::fprintf(stderr, "\n  when they are called one by one, it is block %s (%s), in %s", culprit.block,
                   culprit.type, culprit.phase);
  if (found.block[0] != '\0') std::fprintf(stderr, "\n  plugin %s", found.plugin);
  std::fputs(ends ? "\nhelp: the run ends here, without a ramp: nothing can be computed; a device stops by its own "
                    "time-out\n"
                  : "\nhelp: Ctrl-C, twice, ends hilda; HILDA_CALL_LIMIT=10 ends it by itself after 10 s\n",
             stderr);
  std::fflush(stderr);
}

void watch() {
  const double limit = call_limit();
  StandstillWatch watch;
  StandstillWatch::Finding found;
  double next_word = first_word;
  watched = true;
  watched.notify_one();
  while (true) {
    std::this_thread::sleep_for(std::chrono::duration<double>(interval));
    const double in_loop = std::min(limit, loop_limit.load(std::memory_order_relaxed));
    if (!watch.look(interval, std::min({first_word, limit, in_loop}), found)) {
      next_word = first_word;
      continue;
    }
    const bool ends = found.seconds >= (found.in_loop ? in_loop : limit);
    if (ends || found.seconds >= next_word) say_standstill(found, ends);
    if (found.seconds >= next_word) next_word *= 2;
    if (ends) syscall(SYS_exit_group, found.in_loop ? exit_failed_run : exit_bad_file);
  }
}

} // namespace

void tell_of_standstills() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the other threads
  watched = false;
  std::thread(&watch).detach();
  // A fork now gives the child the locks of the moment, and a thread that begins may hold the allocator's.
  watched.wait(false);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void limit_loop_calls(double seconds) { loop_limit = seconds; }

} // namespace hilda::cli
