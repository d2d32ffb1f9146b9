// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/identify/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <hilda/eigen_caches.h>
#include <limits>

namespace hilda::analysis {
namespace {

[[maybe_unused]] const bool caches_fixed = (detail::fix_eigen_caches(), true);

Eigen::MatrixXd jacobian(const Residuals& residuals, const Eigen::VectorXd& at, const Eigen::VectorXd& steps) {
  Eigen::MatrixXd J;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    Eigen::VectorXd above = at, below = at;
    above[i] += steps[i];
    below[i] -= steps[i];
    const Eigen::VectorXd column = (residuals(above) - residuals(below)) / (2.0 * steps[i]);
    if (i == 0) J.resize(column.size(), at.size());
    J.col(i) = column;
  }
  return J;
}

Eigen::MatrixXd covariance(const Eigen::MatrixXd& J, const Eigen::VectorXd& e) {
  const Eigen::FullPivLU<Eigen::MatrixXd> normal(J.transpose() * J);
  if (!normal.isInvertible())
    return Eigen::MatrixXd::Constant(J.cols(), J.cols(), std::numeric_limits<double>::infinity());
  const Eigen::MatrixXd scores = e.asDiagonal() * J;
  Eigen::MatrixXd S = scores.transpose() * scores;
  const Eigen::Index n = J.rows(), lags = std::min<Eigen::Index>(n - 1, std::lround(1.5 * std::cbrt(n)));
  for (Eigen::Index lag = 1; lag <= lags; ++lag) {
    const double weight = 1.0 - static_cast<double>(lag) / static_cast<double>(lags + 1);
    const Eigen::MatrixXd shifted = scores.bottomRows(n - lag).transpose() * scores.topRows(n - lag);
    S += weight * (shifted + shifted.transpose());
  }
  const Eigen::MatrixXd inverse = normal.inverse();
  return inverse * S * inverse * (static_cast<double>(n) / static_cast<double>(n - J.cols()));
}

} // namespace

Fit least_squares(const Residuals& residuals, Eigen::VectorXd at, const Eigen::VectorXd& steps) {
  Eigen::VectorXd e = residuals(at);
  double sum = e.squaredNorm(), damping = 1e-3;
  Eigen::MatrixXd J = jacobian(residuals, at, steps);
  for (int round = 0; round < 60; ++round) {
    const Eigen::MatrixXd normal = J.transpose() * J;
    Eigen::MatrixXd damped = normal;
    damped.diagonal() += damping * normal.diagonal();
    const Eigen::VectorXd step = damped.ldlt().solve(-(J.transpose() * e));
    const Eigen::VectorXd next = at + step;
    const Eigen::VectorXd left = residuals(next);
    const double reached = left.squaredNorm();
    if (!(reached < sum)) { // NaN counts as worse
      damping *= 10.0;
      if (damping > 1e10) break;
      continue;
    }
    const bool settled = sum - reached <= 1e-12 * sum;
    at = next, e = left, sum = reached, damping = std::max(1e-12, 0.1 * damping);
    J = jacobian(residuals, at, steps);
    if (settled) break;
  }
  return {at, covariance(J, e), sum};
}

} // namespace hilda::analysis
