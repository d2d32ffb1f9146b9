// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hilda::quantity {

/// An exact fraction in lowest terms with a positive denominator. Times are kept in it, so that no tick drifts.
class Rational {
public:
  constexpr Rational() = default;
  /// denominator must not be 0
  Rational(std::int64_t numerator, std::int64_t denominator = 1);

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }
  double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  bool zero() const { return numerator_ == 0; }
  std::string text() const;

  /// `value` itself where it is a whole number of 1e-9; else the fraction with the smallest denominator (at most 1e9)
  /// within a relative 1e-12 of it, or none.
  static std::optional<Rational> near(double value);

  friend bool operator==(const Rational&, const Rational&) = default;
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend bool operator<(const Rational& a, const Rational& b);

private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

/// The greatest fraction of which both are whole multiples.
Rational common_divisor(const Rational& a, const Rational& b);

/// A time in seconds; 1/1000: "1 ms".
std::string time_text(const Rational& seconds);

} // namespace hilda::quantity
