// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/state_space/linear_model.h"
#include "engine/modules.h"

namespace hilda::analysis {

/// One input and one output of a model, with the states that lie between them: those that the input moves and that
/// reach the output.
LinearModel channel(const LinearModel& model, Eigen::Index input, Eigen::Index output);

/// "torque.y to joint.angle"
std::string channel_name(const LinearModel& channel);

/// The poles of y = L u / (1 + L), least stable first. Empty where 1 + D is 0: that loop has no solution.
std::vector<std::complex<double>> closed_poles(const LinearModel& loop);

/// At rest's place, s = 0 or z = 1, as far as its error lets one tell: it integrates.
bool integrates(const LinearModel& model, const Pole& pole);

/// Outside of the unit circle, or in the right half plane; what lies on the border to `slack` does not.
bool grows(const LinearModel& model, std::complex<double> pole, double slack);
/// Inside, or in the left half plane, by more than that.
bool decays(const LinearModel& model, std::complex<double> pole, double slack);

} // namespace hilda::analysis
