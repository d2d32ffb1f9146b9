// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <array>
#include <cstddef>
#include <limits>

namespace hilda::diagram {

/// What a measured signal must be like before anything is armed. SI; nothing is asked for where it is infinite, or 0
/// for the rate.
struct QualityLimits {
  enum Kind : std::size_t {
    resolution, ///< coarsest step, in the signal's unit
    noise,      ///< largest standard deviation at rest, in the signal's unit
    delay,      ///< largest mean age of a sample, s
    rate,       ///< fewest fresh samples a second
    count
  };
  static constexpr std::array<const char*, count> names{"resolution", "noise", "delay", "rate"};

  std::array<double, count> given;

  QualityLimits() { given.fill(std::numeric_limits<double>::infinity()), given[rate] = 0; }
  double operator[](Kind kind) const { return given[kind]; }
  bool asks_for(Kind kind) const {
    return kind == rate ? given[rate] > 0 : given[kind] < std::numeric_limits<double>::infinity();
  }
};

} // namespace hilda::diagram
