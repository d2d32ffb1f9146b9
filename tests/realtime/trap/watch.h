// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// The trap: a preloaded library that watches one thread's loop between `hilda_trap_arm` and `hilda_trap_disarm` and
/// records what a loop in real time may not do. The offending call is carried out nevertheless.
namespace hilda::trap {

using Running = const char* (*)(void* context);

/// What the calling thread's watch is at. Plain data: it is read in malloc and in a signal handler.
struct Watch {
  bool armed = false;
  /// Set while the trap itself or a call that it has already recorded is at work.
  bool busy = false;
  /// Read by the kernel at each system call of this thread: whether to deliver SIGSYS instead.
  volatile std::uint8_t selector = 0;
  Running running = nullptr;
  void* context = nullptr;
};

// The initial-exec model needs no allocation at a thread's first access.
extern thread_local Watch watch __attribute__((tls_model("initial-exec")));

/// Records a call by the watched thread, once for each place it comes from.
void record(const char* what);

/// Counts a loop that was watched, for the report.
void count_loop();

/// Lets the kernel deliver this thread's system calls to the trap; false where it cannot.
bool watch_system_calls();
void ignore_system_calls();

/// Whether each loop was watched for its system calls too.
void system_calls_unwatched();

/// Opens the trap for the time of one call, and closes it again.
class Open {
public:
  Open();
  ~Open();
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  Open(Open&&) = delete;
  Open& operator=(Open&&) = delete;
};

/// Whether a call that comes now is one of the loop's own.
inline bool catches() { return watch.armed && !watch.busy; }

} // namespace hilda::trap
