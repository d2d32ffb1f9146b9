// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/rational.h"

#include "engine/quantity/value.h"

#include <cmath>
#include <numeric>

namespace hilda::quantity {

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t sign = denominator < 0 ? -1 : 1;
  const std::int64_t g = std::gcd(numerator, denominator);
  numerator_ = sign * numerator / (g == 0 ? 1 : g);
  denominator_ = sign * denominator / (g == 0 ? 1 : g);
}

std::string Rational::text() const {
  return denominator_ == 1 ? std::to_string(numerator_)
                           : std::to_string(numerator_) + "/" + std::to_string(denominator_);
}

std::optional<Rational> Rational::near(double value) {
  if (!std::isfinite(value) || std::abs(value) > 1e9) return std::nullopt;
  // a value written in whole nanoseconds is meant exactly: 0.123456789 has simpler neighbours within the tolerance
  const double nanoseconds = std::round(value * 1e9);
  if (std::abs(nanoseconds) < 1e12 && std::abs(nanoseconds / 1e9 - value) <= 1e-15 * std::abs(value))
    return Rational(static_cast<std::int64_t>(nanoseconds), 1'000'000'000);
  // continued fraction: the convergents are the best approximations for their denominators
  const double target = std::abs(value);
  double rest = target;
  std::int64_t h0 = 0, h1 = 1, k0 = 1, k1 = 0;
  for (int i = 0; i < 64; ++i) {
    const double whole = std::floor(rest);
    if (whole > 1e12) break;
    const auto a = static_cast<std::int64_t>(whole);
    const std::int64_t h2 = a * h1 + h0, k2 = a * k1 + k0;
    if (k2 > 1'000'000'000) break;
    h0 = h1, h1 = h2, k0 = k1, k1 = k2;
    const double here = static_cast<double>(h1) / static_cast<double>(k1);
    if (std::abs(here - target) <= 1e-12 * target) return Rational(value < 0 ? -h1 : h1, k1);
    const double fraction = rest - whole;
    if (fraction <= 0) break;
    rest = 1 / fraction;
  }
  return std::nullopt;
}

Rational operator*(const Rational& a, const Rational& b) {
  const std::int64_t g = std::gcd(a.numerator_, b.denominator_), h = std::gcd(b.numerator_, a.denominator_);
  if (g == 0 || h == 0) return {};
  return {(a.numerator_ / g) * (b.numerator_ / h), (a.denominator_ / h) * (b.denominator_ / g)};
}

Rational operator/(const Rational& a, const Rational& b) { return a * Rational(b.denominator_, b.numerator_); }

Rational operator-(const Rational& a, const Rational& b) {
  const std::int64_t l = std::lcm(a.denominator_, b.denominator_);
  return {a.numerator_ * (l / a.denominator_) - b.numerator_ * (l / b.denominator_), l};
}

bool operator<(const Rational& a, const Rational& b) { return (a - b).numerator_ < 0; }

Rational common_divisor(const Rational& a, const Rational& b) {
  if (a.zero()) return b;
  if (b.zero()) return a;
  const std::int64_t l = std::lcm(a.denominator(), b.denominator());
  return {std::gcd(a.numerator() * (l / a.denominator()), b.numerator() * (l / b.denominator())), l};
}

std::string time_text(const Rational& seconds) {
  const double s = seconds.value();
  if (s >= 1) return decimal(s) + " s";
  if (s >= 1e-3) return decimal((seconds * Rational(1000)).value()) + " ms";
  return decimal((seconds * Rational(1'000'000)).value()) + " us";
}

} // namespace hilda::quantity
