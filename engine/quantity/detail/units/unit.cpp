// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/unit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace hilda::quantity {
namespace {

constexpr Unit::Base mass = Unit::Base::mass, length = Unit::Base::length, time = Unit::Base::time,
                     angle = Unit::Base::angle;

/// What stands for one pseudo dimension in a part of the signal.
struct PartUnit {
  Unit::Base pseudo;
  int mass, length, time, angle;
};

PartUnit unit_of(Unit::Part part) {
  switch (part) {
  case Unit::Part::force: return {Unit::Base::wrench, 1, 1, -2, 0};
  case Unit::Part::torque: return {Unit::Base::wrench, 1, 2, -2, -1};
  case Unit::Part::linear: return {Unit::Base::twist, 0, 1, -1, 0};
  case Unit::Part::angular: return {Unit::Base::twist, 0, 0, -1, 1};
  case Unit::Part::position: return {Unit::Base::pose, 0, 1, 0, 0};
  case Unit::Part::orientation: break;
  }
  return {Unit::Base::pose, 0, 0, 0, 0};
}

} // namespace

std::string Exponent::text() const {
  if (!valid()) return "?";
  return whole() ? std::to_string(numerator_) : std::to_string(numerator_) + "/" + std::to_string(denominator());
}

bool Unit::valid() const {
  return std::all_of(powers_.begin(), powers_.end(), [](Exponent power) { return power.valid(); });
}

Unit operator*(const Unit& a, const Unit& b) {
  Unit product;
  for (std::size_t i = 0; i < Unit::bases; ++i) product.powers_[i] = a.powers_[i] + b.powers_[i];
  return product;
}

Unit operator/(const Unit& a, const Unit& b) {
  Unit quotient;
  for (std::size_t i = 0; i < Unit::bases; ++i) quotient.powers_[i] = a.powers_[i] - b.powers_[i];
  return quotient;
}

Unit Unit::pow(Exponent exponent) const {
  Unit result;
  for (std::size_t i = 0; i < bases; ++i) result.powers_[i] = powers_[i] * exponent;
  return result;
}

Unit Unit::part(Part part) const {
  const PartUnit in = unit_of(part);
  const Exponent count = power(in.pseudo);
  const Unit replaced = Unit(in.pseudo).pow(-count) * Unit(mass).pow(count * in.mass) *
                        Unit(length).pow(count * in.length) * Unit(time).pow(count * in.time) *
                        Unit(angle).pow(count * in.angle);
  return *this * replaced;
}

Unit Unit::rotational() const {
  const bool direct = power(mass) == 1 && power(length) == 2;
  const bool inverse = power(mass) == -1 && power(length) == -2;
  if (!direct && !inverse) return *this;
  // Energy counts one angle (torque = dE/dangle); inertia, as torque over angular acceleration, two.
  const int missing = power(time).zero() ? 2 : 1;
  return *this * Unit(angle).pow(direct ? -missing : missing);
}

Unit Unit::without_angle() const { return *this / Unit(angle).pow(power(angle)); }

double shift_decimal(double number, int decade) {
  if (decade == 0 || number == 0 || !std::isfinite(number)) return number;
  constexpr double exact_integers = 9007199254740992.0; // 2^53
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int exact_powers = 22;
  // Both operands exact: one division or product is the correctly rounded result.
  if (std::abs(decade) <= exact_powers && std::abs(number) < exact_integers && number == std::trunc(number)) {
    const double power = powers[std::abs(decade)];
    return decade < 0 ? number / power : number * power;
  }
  char text[64];
  char* end = std::to_chars(text, text + 32, number, std::chars_format::scientific).ptr;
  char* exponent = std::find(text, end, 'e') + 1;
  int written = 0;
  std::from_chars(*exponent == '+' ? exponent + 1 : exponent, end, written);
  end = std::to_chars(exponent, text + sizeof text, written + decade).ptr;
  double shifted = 0;
  if (std::from_chars(text, end, shifted).ec == std::errc()) return shifted;
  return written + decade > 0 ? std::copysign(std::numeric_limits<double>::infinity(), number)
                              : std::copysign(0.0, number);
}

double UnitReading::factor() const { return shift_decimal(1.0, decade) * scale; }

double UnitReading::to_si(double number) const { return shift_decimal(number, decade) * scale + offset; }

double UnitReading::from_si(double value) const { return shift_decimal((value - offset) / scale, -decade); }

} // namespace hilda::quantity
