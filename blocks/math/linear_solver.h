// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <utility>

namespace hilda {

/// Gaussian elimination with partial pivoting, in the caller's memory: A becomes its triangles, b the solution of A x =
/// b. The larger of two equal pivots is the upper one, so that the bits are the same everywhere.
/// @return the smallest pivot over the largest, in absolute value: 0 where A is singular, about 1 / condition otherwise
template <typename Square, typename Right> double solve_in_place(Square&& a, Right&& b) {
  const Eigen::Index n = a.rows();
  double smallest = INFINITY, largest = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    const double size = std::abs(a(pivot, k));
    if (!(size > 0)) return size; // 0, or NaN
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
    for (Eigen::Index j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    for (Eigen::Index j = 0; j < b.cols(); ++j) std::swap(b(k, j), b(pivot, j));
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (Eigen::Index j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (Eigen::Index j = 0; j < b.cols(); ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (Eigen::Index j = 0; j < b.cols(); ++j)
    for (Eigen::Index i = n; i-- > 0;) {
      double sum = b(i, j);
      for (Eigen::Index k = i + 1; k < n; ++k) sum -= a(i, k) * b(k, j);
      b(i, j) = sum / a(i, i);
    }
  return smallest / largest;
}

} // namespace hilda
