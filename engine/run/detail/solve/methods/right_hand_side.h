// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/continuous_part.h"
#include "engine/run/detail/solve/methods/solver_statistics.h"

namespace hilda::run {

/// dx/dt = f(t, x), counted. What a block says against the run at a trial is kept apart: a step may go too far and be
/// taken back.
class RightHandSide {
public:
  RightHandSide(ContinuousPart& part, SolverStatistics& statistics) : part_(part), statistics_(statistics) {
    trial_.size = sizeof trial_;
  }
  std::size_t size() const { return part_.size(); }
  ContinuousPart& part() const { return part_; }
  SolverStatistics& statistics() const { return statistics_; }

  /// [loop] Minor steps of this tick follow. `located`: blocks compute as the sides of their crossings say.
  void enter(const hilda_tick& now, bool located = true) noexcept { part_.enter(now, &trial_, located); }
  /// [loop] k = f(t, x)
  void operator()(double t, const std::vector<double>& x, std::vector<double>& k) {
    part_.put_state(x);
    part_.outputs_at(t);
    part_.derivatives(k);
    ++statistics_.right_hand_sides;
  }
  /// [loop] Has a block objected since it was asked last?
  bool take_objection() noexcept {
    const bool objected = trial_.verdict == HILDA_FAIL;
    if (objected) objection_ = trial_;
    trial_.verdict = HILDA_GO;
    return objected;
  }
  /// The last one; its verdict is HILDA_GO where there was none.
  const hilda_control& objection() const { return objection_; }
  void forget_objection() noexcept { objection_.verdict = HILDA_GO; }

private:
  ContinuousPart& part_;
  SolverStatistics& statistics_;
  hilda_control trial_{}, objection_{};
};

} // namespace hilda::run
