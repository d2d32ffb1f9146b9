// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace hilda {

/// Order of the polynomials that extrapolate, at most.
inline constexpr std::int64_t highest_order = 6;

/// Lagrange's weights of order n at `ahead` for points at 0, -1, ..., -n: weights[0] to weights[n].
template <typename Weights> void lagrange_weights(std::int64_t n, double ahead, Weights& weights) {
  for (std::int64_t i = 0; i <= n; ++i) {
    double weight = 1;
    for (std::int64_t j = 0; j <= n; ++j)
      if (j != i) weight *= (ahead + static_cast<double>(j)) / static_cast<double>(j - i);
    weights[static_cast<std::size_t>(i)] = weight;
  }
}

} // namespace hilda
