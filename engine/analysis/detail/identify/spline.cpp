// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/identify/spline.h"

#include <algorithm>
#include <cmath>

namespace hilda::analysis {

Spline::Spline(std::vector<double> samples, double period)
    : samples_(std::move(samples)), curvature_(samples_.size(), 0.0), period_(period) {
  // c(i-1) + 4 c(i) + c(i+1) = 6 (y(i-1) - 2 y(i) + y(i+1))/h^2 by elimination, c = 0 at both ends.
  const std::size_t n = samples_.size();
  std::vector<double> upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double right = 6.0 * (samples_[i - 1] - 2.0 * samples_[i] + samples_[i + 1]) / (period_ * period_);
    const double pivot = 4.0 - upper[i - 1];
    upper[i] = 1.0 / pivot;
    curvature_[i] = (right - curvature_[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) curvature_[i] -= upper[i] * curvature_[i + 1];
}

double Spline::end() const { return period_ * static_cast<double>(samples_.size() - 1); }

Spline::Place Spline::place(double time) const {
  const double at = time / period_;
  const std::size_t left = std::min(static_cast<std::size_t>(at), samples_.size() - 2);
  return {left, at - static_cast<double>(left)};
}

double Spline::straight(double time) const {
  if (time <= 0.0) return samples_.front();
  if (time >= end()) return samples_.back();
  const auto [i, b] = place(time);
  return (1.0 - b) * samples_[i] + b * samples_[i + 1];
}

double Spline::value(double time) const {
  if (time <= 0.0) return samples_.front();
  if (time >= end()) return samples_.back();
  const auto [i, b] = place(time);
  const double a = 1.0 - b, h = period_ * period_ / 6.0;
  return a * samples_[i] + b * samples_[i + 1] +
         h * ((a * a * a - a) * curvature_[i] + (b * b * b - b) * curvature_[i + 1]);
}

double Spline::curvature(double time) const {
  if (time <= 0.0 || time >= end()) return 0.0;
  const auto [i, b] = place(time);
  return (1.0 - b) * curvature_[i] + b * curvature_[i + 1];
}

} // namespace hilda::analysis
