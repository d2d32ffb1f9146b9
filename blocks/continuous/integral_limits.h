// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

namespace hilda {

/// One element of an integral with limits, in continuous time: inside it follows its input; at a limit it is constant
/// until the input leads back, so that nothing winds up beyond. `place` is a mode: 1 at the upper limit, -1 at the
/// lower one, 0 inside. Where both limits are one number it never moves.
struct IntegralLimits {
  double lower, upper;

  double limited(double x) const { return x < lower ? lower : x > upper ? upper : x; }
  /// As state and input are.
  double place(double x, double u) const { return x >= upper && u >= 0 ? 1 : x <= lower && u <= 0 ? -1 : 0; }
  /// A crossing: how far the place is from its end, infinite without limits.
  double left(double place, double x, double u) const {
    if (lower == upper) return 1;
    if (place != 0) return place * u;
    if (upper == std::numeric_limits<double>::infinity() && lower == -upper) return upper;
    return std::min(upper - x, x - lower);
  }
  /// dx/dt; `side` of that crossing: 0 where it has none yet.
  double slope(double place, double side, double x, double u) const {
    if (lower == upper) return 0;
    if (side == 0 || (place != 0 && side < 0)) return (x >= upper && u > 0) || (x <= lower && u < 0) ? 0 : u;
    return place != 0 ? 0 : u;
  }
  /// At an event: the place that follows, and x led to the limit that it has met.
  double next(double place_before, bool ended, double& x, double u) const {
    if (lower == upper) return x = upper, 0;
    if (ended && place_before == 0) {
      const bool above = upper - x < x - lower;
      x = above ? upper : lower;
      return above == (u < 0) ? 0 : above ? 1 : -1;
    }
    if (ended) return 0;
    return place(x, u);
  }
};

} // namespace hilda
