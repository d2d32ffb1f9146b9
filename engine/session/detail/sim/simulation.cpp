// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/simulation.h"

#include "engine/run/loop_trap.h"
#include "engine/run/step_length.h"
#include "engine/session/run_ticks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace hilda::session {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double progress_every = 0.1; // s
constexpr double batch_time = 0.02;    // s between two looks at the clock
constexpr std::int64_t first_batch = 1024, largest_batch = std::int64_t{1} << 20;

const char* running_block(void* runtime) { return static_cast<const Runtime*>(runtime)->running(); }

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::int64_t last_tick(const SimulationOptions& options, const Rational& base) {
  const std::int64_t last = ticks_in(options.duration, base);
  return options.until ? std::min(*options.until, last) : last;
}

/// The loop, in batches of ticks: a watcher guards each batch, and clock, progress and waiting are between them.
class Loop {
public:
  Loop(Runtime& runtime, Recorder* recorder, const SimulationOptions& options)
      : runtime_(runtime), ticks_(runtime, false, runtime.tick()), recorder_(recorder), options_(options),
        last_(last_tick(options, runtime.base())) {}

  SimulationResult run(LoopWatch::Piece& watched) {
    std::int64_t batch = first_batch;
    while (!over_) {
      const Clock::time_point before = Clock::now();
      runtime_.look_at_step();
      looked_ = true;
      run_batch(batch);
      const double took = seconds_since(before);
      if (took < batch_time / 2) batch = std::min(batch * 2, largest_batch);
      if (took > batch_time * 2) batch = std::max<std::int64_t>(batch / 2, 1);
      report();
      watched.look();
      look_at_memory(ticks_.ended() || (over_ && watched.watches()));
      if (!over_ && recorder_ != nullptr) recorder_->wait_for_room();
    }
    result_.wall_time = seconds_since(start_);
    ticks_.conclude(result_);
    return result_;
  }

private:
  double time() const { return (runtime_.base() * Rational(ticks_.done())).value(); }

  void end(SimulationResult::Reason reason) noexcept {
    result_.reason = reason;
    over_ = true;
  }

  /// [loop]
  void run_batch(std::int64_t ticks) noexcept {
    const LoopTrap trap(&running_block, &runtime_);
    for (; ticks > 0 && !over_; --ticks) {
      if (ticks_.done() >= last_) return end(SimulationResult::Reason::duration);
      if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed))
        return end(SimulationResult::Reason::interrupted);
      if (recorder_ != nullptr && !recorder_->has_room()) return;
      if (options_.tuning != nullptr) {
        options_.tuning->take(recorder_);
        if (recorder_ != nullptr && (!recorder_->has_room() || options_.tuning->numbers_wait())) return;
      }
      if (!std::exchange(looked_, false) && StepLength::due(runtime_.tick())) return; // a look allocates
      over_ = !ticks_.next([this](std::int64_t tick) {
        if (recorder_ != nullptr) recorder_->record(tick);
      });
    }
  }

  /// A block that writes beyond its memory ends the run.
  void look_at_memory(bool now) {
    const double time = seconds_since(start_);
    if (!now && time - memory_looked_ < progress_every) return;
    memory_looked_ = time;
    if (runtime_.look_at_canaries()) return;
    ticks_.refuse();
    over_ = true;
  }

  void report() {
    if (!options_.progress) return;
    const double now = seconds_since(start_);
    if (now - reported_ < progress_every) return;
    reported_ = now;
    options_.progress({time(), options_.duration, now});
  }

  Runtime& runtime_;
  RunTicks ticks_;
  Recorder* recorder_;
  const SimulationOptions& options_;
  const std::int64_t last_;
  const Clock::time_point start_ = Clock::now();
  double reported_ = 0;
  double memory_looked_ = 0; ///< s
  bool looked_ = false;      ///< at the length of the step, before the tick to come
  bool over_ = false;
  SimulationResult result_;
};

} // namespace

std::int64_t ticks_in(const std::optional<double>& duration, const Rational& base) {
  constexpr auto endless = std::numeric_limits<std::int64_t>::max();
  if (!duration) return endless;
  const double ticks = std::ceil(*duration / base.value() - 1e-9);
  if (!(ticks < static_cast<double>(endless))) return endless;
  if (!(*duration > 0)) return 0;
  return std::max<std::int64_t>(static_cast<std::int64_t>(ticks), 1); // that of t = 0 lies before any time
}

const char* reason_name(SimulationResult::Reason reason) {
  switch (reason) {
  case SimulationResult::Reason::duration: return "duration";
  case SimulationResult::Reason::stopped: return "stopped";
  case SimulationResult::Reason::interrupted: return "interrupted";
  case SimulationResult::Reason::left: return "left";
  case SimulationResult::Reason::failed: return "failed";
  }
  return "";
}

SimulationResult simulate(Runtime& runtime, Recorder* recorder, const SimulationOptions& options) {
  runtime.watch_events();
  LoopWatch::Piece watched(options.watch);
  return Loop(runtime, recorder, options).run(watched);
}

void stop_run(Runtime& runtime, SimulationResult& result) {
  if (runtime.stop() || result.reason == SimulationResult::Reason::failed) return;
  result.reason = SimulationResult::Reason::failed;
  result.ending = runtime.ending();
}

} // namespace hilda::session
