// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/jacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hilda::run {
namespace {

const double root = std::sqrt(std::numeric_limits<double>::epsilon());

} // namespace

std::vector<double> slope_scales(const Tolerances& tolerances) {
  std::vector<double> made = tolerances.absolute;
  for (double& each : made) each = std::max(each / tolerances.relative, 1e-100);
  return made;
}

Jacobian::Jacobian(RightHandSide& f, StateInfluence influence, std::vector<double> scale)
    : f_(f), influence_(std::move(influence)), scale_(std::move(scale)), moved_(f.size()), slope_(f.size()),
      by_time_(f.size()), change_(f.size()) {
  for (const auto& rows : influence_.rows) columns_.emplace_back(rows.size(), 0.0);
}

void Jacobian::measure(double t, const std::vector<double>& x, const std::vector<double>& slope) {
  ++f_.statistics().jacobians;
  for (const auto& group : influence_.groups) {
    moved_ = x;
    for (const std::uint32_t state : group) {
      moved_[state] += root * std::max(std::abs(x[state]), scale_[state]);
      change_[state] = moved_[state] - x[state]; // as it was rounded
    }
    f_(t, moved_, slope_);
    for (const std::uint32_t state : group) {
      const auto& rows = influence_.rows[state];
      for (std::size_t i = 0; i < rows.size(); ++i)
        columns_[state][i] = (slope_[rows[i]] - slope[rows[i]]) / change_[state];
    }
  }
}

void Jacobian::measure_by_time(double t, const std::vector<double>& x, const std::vector<double>& slope) {
  const double later = t + root * std::max(std::abs(t), 1e-3);
  f_(later, x, by_time_);
  for (std::size_t i = 0; i < by_time_.size(); ++i) by_time_[i] = (by_time_[i] - slope[i]) / (later - t);
}

void Jacobian::fill(double diagonal, std::vector<double>& matrix) const noexcept {
  const std::size_t n = moved_.size();
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (std::size_t state = 0; state < n; ++state) {
    const auto& rows = influence_.rows[state];
    for (std::size_t i = 0; i < rows.size(); ++i) matrix[rows[i] * n + state] = -columns_[state][i];
    matrix[state * n + state] += diagonal;
  }
}

} // namespace hilda::run
