// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/run/detail/solve/methods/jacobian.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::run {

/// How well a fixed step follows the fastest of what moves: from the eigenvalues of the continuous part where it is
/// looked at, each of which a step multiplies by R(lambda h) where exp(lambda h) is right.
struct StepLengthFinding {
  double error = 0;        ///< |R - exp|, of what this part was; of one that grows, of what it has grown to
  double factor = 0;       ///< |R|
  double right = 0;        ///< |exp|
  bool swings = false;     ///< its eigenvalue is complex
  double fitting_step = 0; ///< s, that keeps the error below a hundredth
  double time = 0;         ///< s, when it was looked at
  std::size_t state = 0;   ///< that has the largest part in it
};

/// Looks at a system now and then, between its ticks. Nothing changes but what the blocks compute again at each step.
class StepLength {
public:
  StepLength(const System& system, ContinuousPart& part, SolverKind kind, double step);

  /// Is a look due before this tick? At 1, 2, 5, 10, 20, 50 and so on.
  static bool due(std::int64_t tick) noexcept;
  /// `now`: of the tick to come.
  void look(const hilda_tick& now, bool located);
  /// The worst of all looks; its error is 0 where none found any.
  const StepLengthFinding& worst() const { return worst_; }

private:
  bool measure(double t);
  void judge(const std::vector<std::size_t>& states, double time);

  ContinuousPart& part_;
  const SolverKind kind_;
  const double step_;
  SolverStatistics uncounted_;
  RightHandSide f_;
  const StateInfluence influence_;
  Jacobian fine_, coarse_;
  std::vector<std::vector<std::size_t>> groups_; ///< states that have to do with each other
  std::vector<double> x_, slope_;
  std::vector<std::vector<double>> slopes_; ///< df/dx by state, next to StateInfluence::rows; without jumps
  StepLengthFinding worst_;
};

} // namespace hilda::run
