#pragma once

#include <cmath>
#include <cstdint>
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
  /// in (0, 1]; the mixing function of SplitMix64 (Steele, Lea and Flood 2014)
  double uniform() {
    std::uint64_t z = seed_ + ++index_ * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 11) + 1.0) * 0x1p-53;
  }
  std::uint64_t seed_, index_;
};

} // namespace hilda
