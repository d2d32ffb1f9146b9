// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/run/detail/solve/methods/continuous_part.h"

#include <vector>

namespace hilda::run {

/// Carries continuous states over one base tick with a fixed step, and locates the sign changes of `crossing` outputs:
/// a step that contains one is split there, so that a contact does not spoil the order of the method.
class FixedStep {
public:
  void bind(ContinuousPart& part, SolverKind kind);

  /// [loop] Throws what a block throws. From `now` (the base tick's time) over `h`. Outputs of continuous blocks are as
  /// computed at `now` before it, and those of the end after it, until `leave`.
  void step(const hilda_tick& now, double h);
  /// [loop] Outputs of continuous blocks are as computed at the tick again.
  void leave() noexcept { part_->restore_outputs(); }

  /// [loop] One step of the method from x0 at `time` over `h`, whatever crosses in it; the states are then its end.
  void carry(const std::vector<double>& x0, double time, double h);

private:
  void outputs_at(double time);
  void advance_from(const std::vector<double>& x0, double time, double h);
  bool smooth(double time, double h);
  double cross(double time, double h);

  ContinuousPart* part_ = nullptr;
  SolverKind kind_ = SolverKind::rk4;
  std::vector<double> x0_, k1_, k2_, k3_, k4_;
  std::vector<double> before_; ///< crossings at the beginning of a step
  bool crossed_ = false;       ///< one of them has changed its sign since
};

} // namespace hilda::run
