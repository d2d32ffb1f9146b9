// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/loop_watch.h"
#include "engine/log/recorder.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"
#include "engine/session/tuning.h"

#include <atomic>
#include <functional>
#include <optional>

namespace hilda::session {

/// How far a simulation has come.
struct Progress {
  double time = 0;                ///< s, simulated
  std::optional<double> duration; ///< s, where the run has a time limit
  double wall_time = 0;           ///< s
};

struct SimulationOptions {
  std::optional<double> duration;                ///< s; none: until a block ends it or it is interrupted
  const std::atomic<bool>* interrupt = nullptr;  ///< set from outside: the run ends after the present tick
  std::optional<std::int64_t> until;             ///< the run pauses before this tick; none: it does not
  Tuning* tuning = nullptr;                      ///< its requests are taken between two ticks; null: there are none
  std::function<void(const Progress&)> progress; ///< at most 10 times a second, between two ticks
  LoopWatch* watch = nullptr;                    ///< finds what plugins change of the process; null: no one does
};

/// How a simulation went.
struct SimulationResult {
  enum class Reason {
    duration,    ///< the time is over
    stopped,     ///< by a block, see `ending`
    interrupted, ///< by a person
    left,        ///< by the client that controlled it: it could continue
    failed       ///< see `ending`
  };
  Reason reason = Reason::duration;
  Ending ending;
  std::int64_t steps = 0; ///< whole ticks
  double time = 0;        ///< s, simulated: steps times the base period
  double wall_time = 0;   ///< s

  double real_time_factor() const { return wall_time > 0 ? time / wall_time : 0; }
};

/// Ticks before `duration`; a whole number of them is not spoilt by rounding. No duration: the largest number.
std::int64_t ticks_in(const std::optional<double>& duration, const Rational& base);

/// The reason as the summary and the log have it: "duration", "stopped", "interrupted", "left", "failed".
const char* reason_name(SimulationResult::Reason reason);

/// Runs a system that has been started from its tick to the end, as fast as it can, and records every tick. It waits
/// for the log's writer where that is behind. A run of duration D has the ticks 0, T, 2T ... before D.
/// @param recorder  null: nothing is recorded
SimulationResult simulate(Runtime& runtime, Recorder* recorder, const SimulationOptions& options);

/// Stops the blocks of a run that is over. One that fails in that makes it a failed run, which the result then says.
void stop_run(Runtime& runtime, SimulationResult& result);

} // namespace hilda::session
