// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/method.h"
#include "engine/run/detail/solve/methods/right_hand_side.h"
#include "engine/run/detail/solve/methods/state_influence.h"

#include <vector>

namespace hilda::run {

/// How large each state is at the least where its slope is measured: where its absolute tolerance becomes its relative
/// one.
std::vector<double> slope_scales(const Tolerances& tolerances);

/// df/dx and df/dt by forward differences, several states at one time where no derivative hears two of them.
class Jacobian {
public:
  /// `scale`: for each state, how large it is at the least where slopes are measured.
  Jacobian(RightHandSide& f, StateInfluence influence, std::vector<double> scale);

  /// [loop] df/dx at (t, x), where f is `slope`.
  void measure(double t, const std::vector<double>& x, const std::vector<double>& slope);
  /// [loop] df/dt there.
  void measure_by_time(double t, const std::vector<double>& x, const std::vector<double>& slope);
  /// df/dx by state, and which derivatives they are.
  const std::vector<std::vector<double>>& columns() const { return columns_; }
  const std::vector<std::vector<std::uint32_t>>& rows() const { return influence_.rows; }
  /// [loop] matrix = diagonal I - df/dx, row by row.
  void fill(double diagonal, std::vector<double>& matrix) const noexcept;
  const std::vector<double>& by_time() const { return by_time_; }

private:
  RightHandSide& f_;
  StateInfluence influence_;
  std::vector<double> scale_, moved_, slope_, by_time_, change_;
  std::vector<std::vector<double>> columns_; ///< next to StateInfluence::rows
};

} // namespace hilda::run
