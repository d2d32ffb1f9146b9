// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/elimination.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hilda::run {

bool Elimination::factor() noexcept {
  for (std::size_t i = 0; i < n_; ++i) order_[i] = i;
  for (std::size_t c = 0; c < n_; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < n_; ++r)
      if (std::abs(matrix_[r * n_ + c]) > std::abs(matrix_[best * n_ + c])) best = r;
    const double pivot = matrix_[best * n_ + c];
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
    if (best != c) {
      std::swap(order_[c], order_[best]);
      std::swap_ranges(matrix_.begin() + static_cast<std::ptrdiff_t>(c * n_),
                       matrix_.begin() + static_cast<std::ptrdiff_t>(c * n_ + n_),
                       matrix_.begin() + static_cast<std::ptrdiff_t>(best * n_));
    }
    const double* const from = &matrix_[c * n_];
    for (std::size_t r = c + 1; r < n_; ++r) {
      double* const to = &matrix_[r * n_];
      if (to[c] == 0) continue;
      const double factor = to[c] /= pivot;
      for (std::size_t i = c + 1; i < n_; ++i) to[i] -= factor * from[i];
    }
  }
  return true;
}

void Elimination::solve(std::vector<double>& b) noexcept {
  // rows were exchanged as a whole, the factors with them
  for (std::size_t r = 0; r < n_; ++r) sorted_[r] = b[order_[r]];
  for (std::size_t r = 0; r < n_; ++r) {
    double sum = sorted_[r];
    for (std::size_t i = 0; i < r; ++i) sum -= matrix_[r * n_ + i] * b[i];
    b[r] = sum;
  }
  for (std::size_t r = n_; r-- > 0;) {
    double sum = b[r];
    for (std::size_t i = r + 1; i < n_; ++i) sum -= matrix_[r * n_ + i] * b[i];
    b[r] = sum / matrix_[r * n_ + r];
  }
}

} // namespace hilda::run
