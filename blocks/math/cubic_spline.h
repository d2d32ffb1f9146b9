// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Slopes at the points of a curve, and the cubics between them.

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace hilda {

/// What holds at both ends: no slope, no curvature, or one cubic over the first two and the last two pieces.
enum class SplineEnds { clamped, natural, not_a_knot };

/// Solves sub[i] m[i-1] + diagonal[i] m[i] + super[i] m[i+1] = right[i] by elimination (Thomas).
inline std::vector<double> solve_tridiagonal(const std::vector<double>& sub, std::vector<double> diagonal,
                                             const std::vector<double>& super, std::vector<double> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double share = sub[i] / diagonal[i - 1];
    diagonal[i] -= share * super[i - 1];
    right[i] -= share * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= super[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

/// Slopes of the cubic spline through (x, y), x rising, at least two points (de Boor 1978, chapter IV).
inline std::vector<double> spline_slopes(const double* x, const double* y, Eigen::Index count, SplineEnds ends) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> h(n - 1), rise(n - 1), sub(n), diagonal(n, 1), super(n), right(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    rise[i] = (y[i + 1] - y[i]) / h[i];
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    sub[i] = h[i];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    super[i] = h[i - 1];
    right[i] = 3 * (h[i] * rise[i - 1] + h[i - 1] * rise[i]);
  }
  if (ends == SplineEnds::natural) {
    diagonal[0] = diagonal[n - 1] = 2;
    super[0] = sub[n - 1] = 1;
    right[0] = 3 * rise[0];
    right[n - 1] = 3 * rise[n - 2];
  } else if (ends == SplineEnds::not_a_knot && n == 2) {
    right[0] = right[1] = rise[0];
  } else if (ends == SplineEnds::not_a_knot && n == 3) { // a parabola
    super[0] = sub[2] = 1;
    right[0] = 2 * rise[0];
    right[2] = 2 * rise[1];
  } else if (ends == SplineEnds::not_a_knot) {
    const double first = h[0] + h[1], last = h[n - 2] + h[n - 3];
    diagonal[0] = h[1];
    super[0] = first;
    right[0] = ((h[0] + 2 * first) * h[1] * rise[0] + h[0] * h[0] * rise[1]) / first;
    diagonal[n - 1] = h[n - 3];
    sub[n - 1] = last;
    right[n - 1] = (h[n - 2] * h[n - 2] * rise[n - 3] + (2 * last + h[n - 2]) * h[n - 3] * rise[n - 2]) / last;
  }
  return solve_tridiagonal(sub, diagonal, super, right);
}

/// Slopes with which the curve rises and falls where its points do, and nowhere else (Fritsch and Butland 1984).
inline std::vector<double> monotone_slopes(const double* x, const double* y, Eigen::Index count) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> h(n - 1), rise(n - 1), slope(n, 0.0);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    rise[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n == 2) return {rise[0], rise[0]};
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (!(rise[i - 1] * rise[i] > 0)) continue;
    const double a = 2 * h[i] + h[i - 1], b = h[i] + 2 * h[i - 1];
    slope[i] = (a + b) / (a / rise[i - 1] + b / rise[i]);
  }
  const auto at_end = [](double h0, double h1, double r0, double r1) {
    const double three_points = ((2 * h0 + h1) * r0 - h0 * r1) / (h0 + h1);
    if (!(three_points * r0 > 0)) return 0.0;
    if (!(r0 * r1 > 0) && std::abs(three_points) > 3 * std::abs(r0)) return 3 * r0;
    return three_points;
  };
  slope[0] = at_end(h[0], h[1], rise[0], rise[1]);
  slope[n - 1] = at_end(h[n - 2], h[n - 3], rise[n - 2], rise[n - 3]);
  return slope;
}

/// A curve's value and its first two derivatives.
struct CurvePoint {
  double value, slope, curvature;
};

/// On the cubic (Hermite) of width h at `share` (0 to 1) of the way, from values and slopes at its ends.
inline CurvePoint cubic_between(double h, double share, double y0, double y1, double m0, double m1) {
  const double rise = (y1 - y0) / h, c = (3 * rise - 2 * m0 - m1) / h, d = (m0 + m1 - 2 * rise) / (h * h);
  const double s = share * h;
  return {y0 + s * (m0 + s * (c + s * d)), m0 + s * (2 * c + 3 * s * d), 2 * c + 6 * s * d};
}

} // namespace hilda
