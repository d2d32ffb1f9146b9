// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_LOOP_H
#define HILDA_TESTING_CHECK_LOOP_H

// What takes an unknown time, and so may not be in a real-time loop: allocation, locks, system calls.

#include <hilda/testing/allocations.h>
#include <hilda/testing/buffered_files.h>
#include <hilda/testing/finding.h>
#include <hilda/testing/locks.h>
#include <hilda/testing/system_calls.h>

namespace hilda::testing {

namespace detail {

/// Runs the bench under a watch and gives its first finding and how many calls there were.
template <typename Watch, typename Run> std::string watched(Bench& bench, Watch& watch, Run&& run_it) {
  process_at_first(); // allocates and calls the kernel, and would do so in the block's first call
  std::string found;
  bench.surround([&](const char* phase, const std::function<void()>& body) {
    const long before = watch.calls();
    watch.arm(phase);
    body();
    watch.disarm();
    if (watch.calls() > before && found.empty()) found = watch.first() + " in " + phase + at_tick(bench);
  });
  run_it();
  bench.surround([](const char*, const std::function<void()>& body) { body(); });
  return found.empty() ? found : found + "; " + std::to_string(watch.calls()) + " calls in all";
}

struct AllocationsInLoop {
  AllocationWatch watch;
  void arm(const char*) { watch.arm(); }
  void disarm() { watch.disarm(); }
  long calls() const { return watch.calls(); }
  std::string first() const { return "calls " + watch.first(); }
};

struct LocksInLoop {
  LockWatch watch;
  void arm(const char*) { watch.arm(); }
  void disarm() { watch.disarm(); }
  long calls() const { return watch.calls(); }
  std::string first() const { return "calls " + watch.first(); }
};

struct KernelInLoop {
  SystemCallWatch system_calls;
  BufferedFileWatch files;
  void arm(const char* phase) {
    const std::string_view name = phase;
    files.arm();
    system_calls.arm(name == "acquire" || name == "emit" ? KernelUse::device : KernelUse::time);
  }
  void disarm() {
    system_calls.disarm();
    files.disarm();
  }
  long calls() const { return files.calls() + system_calls.calls(); }
  std::string first() const {
    return files.calls() > 0 ? "uses a file by " + files.first() : "makes the system call " + system_calls.first();
  }
};

struct AllInLoop {
  AllocationsInLoop allocations;
  LocksInLoop locks;
  KernelInLoop kernel;
  void arm(const char* phase) {
    allocations.arm(phase);
    locks.arm(phase);
    kernel.arm(phase);
  }
  void disarm() {
    kernel.disarm();
    locks.disarm();
    allocations.disarm();
  }
  long calls() const { return allocations.calls() + locks.calls() + kernel.calls(); }
  std::string first() const {
    return allocations.calls() > 0 ? allocations.first() : locks.calls() > 0 ? locks.first() : kernel.first();
  }
};

inline const char* unfit(const Subject& subject) {
  return (subject.type->table().flags & HILDA_REALTIME_UNSAFE) != 0 ? "it says that it is not fit for real time"
                                                                    : nullptr;
}

/// A run through all phases that a loop has.
template <typename Watch> std::string found_in_loop(const Subject& subject, Watch& watch) {
  Bench bench(*subject.type, subject.setup);
  return watched(bench, watch, [&] {
    bench.reset();
    bench.prepare();
    run(bench, subject, subject.ticks);
  });
}

/// Nothing in the loop allocates.
inline Outcome check_allocation(const Subject& subject) {
  if (const char* why = unfit(subject)) return not_applicable(why);
  AllocationsInLoop watch;
  if (!watch.watch.usable()) return not_applicable("not checked: calls of malloc cannot be seen on this machine");
  const std::string found = found_in_loop(subject, watch);
  return found.empty() ? passed() : failed(found);
}

/// Nothing in the loop waits for another thread, or starts one.
inline Outcome check_locks(const Subject& subject) {
  if (const char* why = unfit(subject)) return not_applicable(why);
  LocksInLoop watch;
  const std::string found = found_in_loop(subject, watch);
  if (!found.empty())
    return failed(found + "; the loop shares with other threads by atomics, and starts threads in configure or start");
#if !defined(__x86_64__) && !defined(__aarch64__)
  return not_applicable("not checked: calls of locks cannot be seen on this machine");
#else
  return passed();
#endif
}

/// Nothing in the loop asks the kernel for anything but the time.
inline Outcome check_syscalls(const Subject& subject) {
  if (const char* why = unfit(subject)) return not_applicable(why);
  KernelInLoop watch;
  const std::string found = found_in_loop(subject, watch);
  if (!found.empty()) return failed(found + "; files are opened, read and written in configure, start and stop");
  return watch.system_calls.usable()
             ? passed()
             : not_applicable("not checked: this kernel does not hand a thread's system calls over (it takes Linux "
                              "5.11 on x86-64)");
}

} // namespace detail

/// What the block on a bench does in the next ticks that no loop may: "calls malloc in output at tick 3; 1 calls in
/// all". Empty: nothing. For a driver that the test has started, whose device it plays: its acquire and emit may also
/// use sockets and sleep.
inline std::string loop_offence(Bench& bench, std::int64_t ticks) {
  detail::AllInLoop watch;
  return detail::watched(bench, watch, [&] { bench.run(ticks); });
}

} // namespace hilda::testing

#endif
