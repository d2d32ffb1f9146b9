// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

namespace hilda::analysis {

/// A derivative by differences, entry by entry.
struct Slope {
  Eigen::VectorXd value;
  Eigen::VectorXd error;   ///< estimated; at a kink half of what the slopes of both sides differ by
  std::vector<bool> kinks; ///< the slopes of both sides differ, however small the step
  /// f leaps at 0, so that its differences grow as 1/h: there is no derivative. The value is then the slope next to the
  /// leap, and the error infinite.
  std::vector<bool> jumps;
  /// The slope grows as the step shrinks, and f does not leap: a root at 0, a pole next to it. The error is infinite.
  std::vector<bool> steep;
};

/// f(h) - f(0), or nothing where f cannot be had.
using Deviation = std::function<std::optional<Eigen::VectorXd>(double h)>;

/// df/dh at 0 by central differences. Seven steps are tried, `largest` and each a tenth of the one before; of each
/// entry that one is taken at which the estimate changes least, and extrapolated. So an entry that is large, or one
/// that bends soon (a contact 1 um away), needs no step from the caller.
/// @param sizes  of each entry of f(0), from which its rounding follows
/// @return nothing where no three steps in a row give finite numbers for every entry
std::optional<Slope> slope(const Deviation& deviation, const Eigen::VectorXd& sizes, double largest);

} // namespace hilda::analysis
