// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/step_response.h"
#include "engine/modules.h"

#include <Eigen/Core>
#include <cstdint>

namespace hilda::analysis {

/// x' = A x + B over some time, for u = 1.
struct Stride {
  Eigen::MatrixXd A;
  Eigen::VectorXd B;
};

/// Over so many periods of a discrete channel, or so many seconds of a continuous one.
Stride stride_of_ticks(const LinearModel& channel, std::int64_t ticks);
Stride stride_of_time(const LinearModel& channel, double time);

/// Rise, overshoot, settling and peak of one that settles at `response.steady`: from the model, in steps as short as
/// what still moves asks for, and sought between them to the last digits; whatever times `response` is shown at.
void add_step_figures(const LinearModel& channel, StepResponse& response);

} // namespace hilda::analysis
