// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>
#include <functional>

namespace hilda::analysis {

/// Residuals of a model with the given parameters.
using Residuals = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

struct Fit {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd covariance; ///< of the parameters; not finite where the data does not tell
  double sum_of_squares = 0;
};

/// Least squares by Levenberg and Marquardt from `start`, with the Jacobian by central differences of `steps`.
///
/// The covariance is that of Gauss and Newton with the residuals' own correlation over time (Newey and West 1987):
/// (J'J)^-1 S (J'J)^-1, S the lag-weighted sum of J'e e'J. What the model leaves over is not white where the robot is
/// more than the model, and intervals that ignored it would be too narrow.
Fit least_squares(const Residuals& residuals, Eigen::VectorXd start, const Eigen::VectorXd& steps);

} // namespace hilda::analysis
