// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/machine/loop_thread.h"

#include "engine/plugin/alternate_stack.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hilda::session {
namespace {

constexpr std::size_t stack_bytes = std::size_t{8} << 20;
constexpr std::size_t touched_bytes = std::size_t{1} << 20;

/// Writes to every page that the loop's calls may come to use.
__attribute__((noinline)) void touch_stack() {
  std::array<unsigned char, touched_bytes> pages;
  volatile unsigned char* const touched = pages.data();
  constexpr std::size_t page = 4096;
  for (std::size_t at = 0; at < touched_bytes; at += page) touched[at] = 1;
}

void bind_to_processors(const std::vector<int>& processors, Refusals& refusals) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors)
    if (processor < CPU_SETSIZE) CPU_SET(static_cast<unsigned>(processor), &set);
  const int problem = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  cpu_set_t given;
  if (problem == 0 && pthread_getaffinity_np(pthread_self(), sizeof given, &given) == 0 && CPU_EQUAL(&set, &given) != 0)
    return;
  refusals.push_back(fmt::format("the loop cannot be bound to processor {}: {}; name processors of this machine in "
                                 "<realtime processors=\"...\"/>",
                                 fmt::join(processors, ", "),
                                 problem != 0 ? std::strerror(problem) : "the machine does not have them all"));
}

void take_priority(int priority, Refusals& refusals) {
  sched_param wanted{};
  wanted.sched_priority = priority;
  const int problem = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted);
  if (problem == 0) return;
  rlimit limit{};
  getrlimit(RLIMIT_RTPRIO, &limit);
  refusals.push_back(fmt::format("SCHED_FIFO with priority {} is refused ({}; the limit 'rtprio' is {}); allow it in "
                                 "/etc/security/limits.d: @realtime - rtprio 99",
                                 priority, std::strerror(problem), limit.rlim_cur));
}

} // namespace

LoopThread::LoopThread(const RealtimeSettings& settings, std::function<void()> body)
    : settings_(settings), body_(std::move(body)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const int problem = pthread_create(&thread_, &attributes, &LoopThread::enter, this);
  pthread_attr_destroy(&attributes);
  made_ = problem == 0;
  if (!made_) refusals_.push_back(fmt::format("no thread for the loop: {}", std::strerror(problem)));
}

void LoopThread::join() {
  if (!made_ || joined_) return;
  pthread_join(thread_, nullptr);
  joined_ = true;
}

void* LoopThread::enter(void* self) {
  auto& thread = *static_cast<LoopThread*>(self);
  const AlternateStack for_handlers;
  thread.settle();
  thread.body_();
  return nullptr;
}

void LoopThread::settle() {
  sigset_t all;
  sigfillset(&all);
  // What the thread itself causes must reach it: a blocked one kills without a word.
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&all, own);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  bind_to_processors(settings_.processors, refusals_);
  touch_stack();
  take_priority(settings_.priority, refusals_);
}

Refusals LoopThread::probe(const RealtimeSettings& settings) {
  LoopThread thread(settings, [] {});
  thread.join();
  return thread.refusals();
}

LockedMemory::LockedMemory() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  // Under a limit, MCL_FUTURE would make later allocations fail outside of the loop. Root has none.
  const bool unlimited = limit.rlim_cur == RLIM_INFINITY || geteuid() == 0;
  if (mlockall(unlimited ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) == 0) return;
  const std::string allowed =
      limit.rlim_cur == RLIM_INFINITY ? std::string("without limit") : fmt::format("{} KiB", limit.rlim_cur / 1024);
  refusals_.push_back(fmt::format("memory cannot be locked ({}; the limit 'memlock' is {}); allow it in "
                                  "/etc/security/limits.d: @realtime - memlock unlimited",
                                  std::strerror(errno), allowed));
}

LockedMemory::~LockedMemory() { munlockall(); }

} // namespace hilda::session
