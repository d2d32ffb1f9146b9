// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <hilda/random.h>
#include <numbers>

namespace hilda {

/// Normally distributed numbers by their place in a sequence: the n-th of a seed is always the same, so a block keeps a
/// counter as its state and may compute an output twice.
class NormalNoise {
public:
  explicit NormalNoise(std::uint64_t seed, std::uint64_t index) : seed_(seed), index_(index) {}

  /// mean 0, variance 1 (Box and Muller 1958)
  double next() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  std::uint64_t index() const { return index_; }

private:
  /// in (0, 1]
  double uniform() {
    const std::uint64_t bits = Generator::mix(Generator::skip(seed_, ++index_));
    return (static_cast<double>(bits >> 11) + 1.0) * 0x1p-53;
  }
  std::uint64_t seed_, index_;
};

} // namespace hilda
