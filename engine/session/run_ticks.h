// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/simulation.h"

namespace hilda::session {

/// The ticks of a run, taken, counted and ended in one way by every mode.
class RunTicks {
public:
  /// @param hardware  the last tick of a planned stop begins a ramp and is not counted; in simulation it is whole
  /// @param done      ticks of the run so far
  explicit RunTicks(Runtime& runtime, bool hardware = false, std::int64_t done = 0)
      : runtime_(runtime), hardware_(hardware), done_(done) {}

  /// [loop] One tick. `look(tick)` is called once its outputs are there, and before it is over: a tick that fails is
  /// recorded as far as it came, since it shows what happened. False: the run has ended by itself.
  template <typename Look> bool next(Look&& look) {
    const std::int64_t tick = runtime_.tick();
    const bool computed = runtime_.compute();
    look(tick);
    ended_ = !computed || !runtime_.advance();
    if (!ended_) ++done_;
    return !ended_;
  }

  /// The run has ended before its next tick.
  void refuse() { ended_ = true; }
  /// By itself: a block, a failure, or what someone asked of the runtime.
  bool ended() const { return ended_; }
  std::int64_t done() const { return done_; }

  /// Ticks, time, and how a run that ended by itself came to it. The reason stays as it is where someone had asked for
  /// the end: who asked knows why.
  void conclude(SimulationResult& result) const;

private:
  Runtime& runtime_;
  const bool hardware_;
  std::int64_t done_;
  bool ended_ = false;
};

} // namespace hilda::session
