// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/realtime_settings.h"
#include "engine/modules.h"

#include <functional>
#include <pthread.h>
#include <string>
#include <vector>

namespace hilda::session {

/// What the kernel refused to a thread that was to run in real time, a sentence each with what to do; empty: nothing.
using Refusals = std::vector<std::string>;

/// A thread in real time: SCHED_FIFO, bound to its processors, with a stack that was touched before. What it is refused
/// it goes without. No signal is handled on it.
class LoopThread {
public:
  /// Makes the thread; `body` runs on it once the settings are.
  LoopThread(const RealtimeSettings& settings, std::function<void()> body);
  ~LoopThread() { join(); }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  void join();
  /// After join.
  const Refusals& refusals() const { return refusals_; }
  /// Could the thread be made at all? If not, `body` has not run and the refusals say why.
  bool made() const { return made_; }

  /// Asks for what a loop with these settings needs, in a thread that ends at once.
  static Refusals probe(const RealtimeSettings& settings);

private:
  static void* enter(void* self);
  void settle();

  RealtimeSettings settings_;
  std::function<void()> body_;
  Refusals refusals_;
  pthread_t thread_{};
  bool made_ = false, joined_ = false;
};

/// Keeps all memory of the process in RAM while it lives, also what is allocated later where the limits allow that.
class LockedMemory {
public:
  LockedMemory();
  ~LockedMemory();
  LockedMemory(const LockedMemory&) = delete;
  LockedMemory& operator=(const LockedMemory&) = delete;
  const Refusals& refusals() const { return refusals_; }

private:
  Refusals refusals_;
};

} // namespace hilda::session
