// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/state_space/linear_model.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::analysis {

/// Frequencies of a channel L, rad/s, at which a picture of it must look. Each list rises.
struct Landmarks {
  std::vector<double> poles;  ///< sizes of its poles in the s plane, without integrators and what a delay line has at 0
  std::vector<double> closed; ///< likewise of 1 + L = 0
  /// Where |L| may be 1, or L real: roots of L(s) L(-s) = 1 and of L(s) = L(-s) near the imaginary axis. Every such
  /// place is among them, of a channel with up to 80 states; others may be.
  std::vector<double> crossings;
};
Landmarks landmarks(const LinearModel& channel);

} // namespace hilda::analysis
