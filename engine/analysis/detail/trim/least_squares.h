// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace hilda::analysis {

/// What should become 0 at a point; none where it cannot be had there.
using Distances = std::function<std::optional<Eigen::VectorXd>(const Eigen::VectorXd& point)>;

/// The point at which the sum of their squares is least, sought from `start`, at which they is available.
Eigen::VectorXd least_squares(const Eigen::VectorXd& start, const Distances& distances);

} // namespace hilda::analysis
