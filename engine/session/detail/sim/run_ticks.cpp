// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/run_ticks.h"

namespace hilda::session {

void RunTicks::conclude(SimulationResult& result) const {
  result.steps = done_;
  if (ended_) {
    result.ending = runtime_.ending();
    if (result.ending.kind == Ending::Kind::stopped) {
      result.reason = SimulationResult::Reason::stopped;
      if (!hardware_) ++result.steps;
    }
    if (result.ending.kind == Ending::Kind::failed) result.reason = SimulationResult::Reason::failed;
  }
  result.time = (runtime_.base() * Rational(result.steps)).value();
}

} // namespace hilda::session
