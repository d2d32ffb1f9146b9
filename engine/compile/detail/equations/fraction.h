// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <limits>
#include <numeric>

namespace hilda::compile::inference {

/// An exact fraction that becomes invalid, and stays so, where it would not fit into 64 bits.
class Fraction {
public:
  constexpr Fraction() = default;
  constexpr Fraction(std::int64_t numerator, std::int64_t denominator) { set(numerator, denominator); }
  constexpr Fraction(int whole) : numerator_(whole) {}

  constexpr bool valid() const { return denominator_ != 0; }
  constexpr bool whole() const { return denominator_ == 1; }
  constexpr std::int64_t numerator() const { return numerator_; }
  constexpr std::int64_t denominator() const { return denominator_; }

  friend constexpr Fraction operator+(Fraction a, Fraction b) {
    return wide(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
                Wide{a.denominator_} * b.denominator_);
  }
  friend constexpr Fraction operator*(Fraction a, Fraction b) {
    return wide(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
  }
  friend constexpr Fraction operator/(Fraction a, Fraction b) {
    if (!a.valid() || !b.valid()) return {0, 0};
    return wide(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
  }
  friend constexpr bool operator==(Fraction, Fraction) = default;

private:
  __extension__ typedef __int128 Wide;

  constexpr void set(Wide numerator, Wide denominator) {
    Wide a = numerator < 0 ? -numerator : numerator, b = denominator < 0 ? -denominator : denominator;
    while (b != 0) {
      const Wide rest = a % b;
      a = b, b = rest;
    }
    if (denominator == 0) {
      numerator_ = 0, denominator_ = 0;
      return;
    }
    const Wide divisor = denominator < 0 ? -a : a;
    constexpr Wide most = std::numeric_limits<std::int64_t>::max();
    numerator /= divisor, denominator /= divisor;
    const bool fits = numerator <= most && numerator >= -most && denominator <= most;
    numerator_ = fits ? static_cast<std::int64_t>(numerator) : 0;
    denominator_ = fits ? static_cast<std::int64_t>(denominator) : 0;
  }
  static constexpr Fraction wide(Wide numerator, Wide denominator) {
    Fraction result;
    result.set(numerator, denominator);
    return result;
  }

  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

} // namespace hilda::compile::inference
