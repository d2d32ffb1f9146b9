// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <hilda/block.h>

namespace hilda {

/// What a table gives beyond its end.
enum class Outside { clip, extrapolate, refuse };

/// Between which breakpoints a value lies: first and first + 1, at share (0 to 1, else extrapolated).
struct Segment {
  Eigen::Index first;
  double share;
  bool beyond; ///< outside the table, or NaN
};

/// @param x  rising, at least two of them
inline Segment find_segment(const double* x, Eigen::Index count, double value, bool extrapolate) {
  const bool beyond = !(value >= x[0] && value <= x[count - 1]);
  const Eigen::Index after = std::upper_bound(x, x + count, value) - x;
  const Eigen::Index first = std::clamp<Eigen::Index>(after - 1, 0, count - 2);
  const double share = (value - x[first]) / (x[first + 1] - x[first]);
  if (!beyond || extrapolate || std::isnan(value)) return {first, share, beyond};
  return {first, share < 0 ? 0.0 : 1.0, beyond};
}

/// Reports breakpoints that are too few or do not rise.
inline void check_breakpoints(const Instance& self, const char* name, const double* x, Eigen::Index count) {
  if (count < 2) {
    self.report(name, "has one breakpoint; give two or more");
    return;
  }
  for (Eigen::Index i = 1; i < count; ++i) {
    if (x[i - 1] < x[i]) continue;
    self.report(name, "does not rise from breakpoint " + std::to_string(i - 1) + " to " + std::to_string(i) +
                          "; sort them, each once");
    return;
  }
}

} // namespace hilda
