// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <vector>

namespace hilda::run {

/// Solves dense systems of linear equations by elimination with partial pivoting, without separate memory in the
/// loop; zeros below the diagonal cost nothing.
class Elimination {
public:
  explicit Elimination(std::size_t n) : n_(n), matrix_(n * n), order_(n), sorted_(n) {}
  /// Row by row; to be written before `factor`.
  std::vector<double>& matrix() { return matrix_; }
  /// [loop] Replaces the matrix by its factors. False where it is singular.
  bool factor() noexcept;
  /// [loop] Replaces b by the solution.
  void solve(std::vector<double>& b) noexcept;

private:
  std::size_t n_;
  std::vector<double> matrix_;
  std::vector<std::size_t> order_; ///< which row came to be where
  std::vector<double> sorted_;
};

} // namespace hilda::run
