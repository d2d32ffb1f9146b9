// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <atomic>
#include <cstdint>

namespace hilda::plugin {

/// A piece of a plugin's code that is being called: whose fault it is if the program does not come out of it again. The
/// texts live as long as the call.
struct RunningCode {
  const char* plugin = nullptr; ///< its file
  const char* block = nullptr;  ///< path in the diagram; null before there is one
  const char* type = nullptr;   ///< "contact/PhaseLead"; null while the whole plugin is loaded
  const char* phase = nullptr;  ///< "configure"; null: no plugin runs
  /// Where one call runs several equal blocks: how many. `block` is then the first of them.
  std::uint64_t count = 1;
  explicit operator bool() const { return phase != nullptr; }
};

/// A loop that calls blocks: asked in the middle of a signal handler, so it only reads.
class RunningLoop {
public:
  virtual RunningCode running_code() const noexcept = 0;
  /// Another number after each tick.
  virtual std::int64_t beat() const noexcept = 0;
  /// s, of the tick that runs
  virtual double loop_time() const noexcept = 0;
  /// Calls the blocks of the running call again, one by one, so that the one at fault shows; running_code() names each.
  virtual void call_one_by_one() noexcept = 0;
  /// A block that has written beyond its own memory, with no phase: what happens in others' memory is its fault. None
  /// where the loop knows of no such block.
  virtual RunningCode overrun() const noexcept { return {}; }

protected:
  RunningLoop() = default;
  RunningLoop(const RunningLoop&) = default;
  RunningLoop& operator=(const RunningLoop&) = default;
  /// No thread looks at it any more when this returns.
  ~RunningLoop();
};

/// What one thread runs. Threads that never call a plugin have none.
class RunningThread {
public:
  /// Of the calling thread; the first call on a thread must not be in a signal handler.
  static RunningThread& mine();
  /// The same without making one: null on a thread that never had one. For signal handlers.
  static RunningThread* find();

  /// What runs on any thread, the first that is found. Not exact: for last words alone.
  static RunningCode anywhere();

  /// The code that runs, and the loop that calls it or null. For this thread's signal handlers.
  RunningCode code() const;
  const RunningLoop* loop() const { return loop_.load(std::memory_order_relaxed); }
  RunningLoop* loop() { return loop_.load(std::memory_order_relaxed); }

  /// [loop] The loop whose calls follow.
  void enter(RunningLoop& loop) {
    if (loop_.load(std::memory_order_relaxed) != &loop) loop_.store(&loop, std::memory_order_relaxed);
  }

private:
  friend class RunningMark;
  friend class RunningLoop;
  friend class StandstillWatch;
  std::atomic<const RunningCode*> mark_{nullptr};
  std::atomic<std::uint64_t> marks_{0}; ///< counts them
  std::atomic<RunningLoop*> loop_{nullptr};
};

/// Marks a call of a plugin outside of the loop while it lives.
class RunningMark {
public:
  explicit RunningMark(const RunningCode& code);
  ~RunningMark();
  RunningMark(const RunningMark&) = delete;
  RunningMark& operator=(const RunningMark&) = delete;

private:
  RunningCode code_;
  const RunningCode* before_;
};

/// Sees from another thread that a plugin's code does not come back.
class StandstillWatch {
public:
  struct Finding {
    RunningCode code; ///< its texts are copied below
    double seconds = 0;
    bool in_loop = false;
    double time = 0; ///< s, of the tick in the loop
    char plugin[512], block[512], type[256], phase[64];
  };
  /// Looks at all threads; true where one has been in the same call for `patience` seconds or more. To be called every
  /// `interval` seconds, from one thread; time in which the whole process was stopped does not count.
  bool look(double interval, double patience, Finding& finding);

private:
  static constexpr int most = 256;
  struct Seen {
    std::uint64_t marks = 0;
    const RunningCode* mark = nullptr;
    const RunningLoop* loop = nullptr;
    std::int64_t beat = 0;
    double stood = 0; ///< s
  };
  Seen seen_[most];
};

} // namespace hilda::plugin
