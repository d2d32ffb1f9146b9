// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

namespace hilda::quantity {

/// The power to which a dimension is raised: a small exact fraction. What does not fit (beyond 32767) is invalid and
/// stays invalid, so that a long chain of products ends in a diagnostic and not in a wrong unit.
class Exponent {
public:
  constexpr Exponent() = default;
  constexpr Exponent(int whole) : Exponent(static_cast<std::int64_t>(whole), 1) {}
  constexpr Exponent(std::int64_t numerator, std::int64_t denominator) {
    const std::int64_t divisor = std::gcd(numerator, denominator);
    if (denominator == 0) {
      invalidate();
      return;
    }
    numerator = (denominator < 0 ? -numerator : numerator) / divisor;
    denominator = (denominator < 0 ? -denominator : denominator) / divisor;
    constexpr std::int64_t most = std::numeric_limits<std::int16_t>::max();
    if (numerator > most || numerator < -most || denominator > most) {
      invalidate();
      return;
    }
    numerator_ = static_cast<std::int16_t>(numerator);
    spare_ = static_cast<std::int16_t>(denominator - 1);
  }

  constexpr int numerator() const { return numerator_; }
  constexpr int denominator() const { return spare_ + 1; }
  constexpr bool valid() const { return spare_ >= 0; }
  constexpr bool zero() const { return numerator_ == 0 && valid(); }
  constexpr bool whole() const { return spare_ == 0; }
  constexpr bool negative() const { return numerator_ < 0; }
  constexpr double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator()); }
  /// "2", "-1", "1/2"
  std::string text() const;

  constexpr Exponent operator-() const { return {-std::int64_t{numerator_}, denominator()}; }
  friend constexpr Exponent operator+(Exponent a, Exponent b) {
    return {std::int64_t{a.numerator_} * b.denominator() + std::int64_t{b.numerator_} * a.denominator(),
            std::int64_t{a.denominator()} * b.denominator()};
  }
  friend constexpr Exponent operator-(Exponent a, Exponent b) { return a + -b; }
  friend constexpr Exponent operator*(Exponent a, Exponent b) {
    return {std::int64_t{a.numerator_} * b.numerator_, std::int64_t{a.denominator()} * b.denominator()};
  }
  /// invalid where b is zero
  friend constexpr Exponent operator/(Exponent a, Exponent b) {
    if (!a.valid() || !b.valid()) return {0, 0};
    return {std::int64_t{a.numerator_} * b.denominator(), std::int64_t{a.denominator()} * b.numerator_};
  }
  friend constexpr bool operator==(Exponent, Exponent) = default;
  /// By value; invalid after all others.
  friend constexpr std::strong_ordering operator<=>(Exponent a, Exponent b) {
    if (!a.valid() || !b.valid()) return b.valid() <=> a.valid();
    return std::int64_t{a.numerator_} * b.denominator() <=> std::int64_t{b.numerator_} * a.denominator();
  }

private:
  constexpr void invalidate() { numerator_ = 0, spare_ = -1; }
  std::int16_t numerator_ = 0;
  std::int16_t spare_ = 0; ///< denominator - 1, so that zero bytes are the exponent 0; -1: invalid
};

} // namespace hilda::quantity
