// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_RANDOM_H
#define HILDA_RANDOM_H

#include <cmath>
#include <cstdint>

namespace hilda {

/// Counter-based random numbers: number k of a stream is a mix of seed + k gamma, so that a state is one integer and
/// skipping is an addition (Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators, SplitMix64).
class Generator {
public:
  explicit Generator(std::uint64_t state) : state_(state) {}
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// The state after `count` numbers more.
  static std::uint64_t skip(std::uint64_t state, std::uint64_t count) { return state + count * gamma; }

  std::uint64_t bits() { return mix(state_ += gamma); }
  /// In (0, 1): 53 bits, and neither end.
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }
  /// Two independent numbers of mean 0 and variance 1, from two draws (Box and Muller 1958).
  void normal(double& a, double& b) {
    const double radius = std::sqrt(-2 * std::log(uniform())), angle = 2 * M_PI * uniform();
    a = radius * std::cos(angle);
    b = radius * std::sin(angle);
  }

private:
  static constexpr std::uint64_t gamma = 0x9E3779B97F4A7C15u;
  std::uint64_t state_;
};

} // namespace hilda

#endif
