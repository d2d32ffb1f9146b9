// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/modules.h"
#include "engine/quantity/exponent.h"

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::quantity {

/// What a number measures, in SI without a scale: a product of powers of base dimensions.
///
/// Angle is a dimension (rad), so that rad/s is not 1/s and a torque (N m/rad) is not an energy (N m). Named signals
/// (wrench, twist, pose), the elements of which differ in unit, carry one pseudo dimension each.
class Unit {
public:
  enum class Base { mass, length, time, current, temperature, amount, luminosity, angle, wrench, twist, pose };
  static constexpr std::size_t bases = 11;
  /// A part of a named signal. Force and torque of a wrench, linear and angular of a twist, position and orientation of
  /// a pose.
  enum class Part { force, torque, linear, angular, position, orientation };

  /// Dimensionless.
  constexpr Unit() = default;
  constexpr explicit Unit(Base base) { powers_[static_cast<std::size_t>(base)] = 1; }

  constexpr Exponent power(Base base) const { return powers_[static_cast<std::size_t>(base)]; }
  bool dimensionless() const { return *this == Unit(); }
  /// False once a power has become too large to be kept.
  bool valid() const;

  Unit pow(Exponent exponent) const;
  /// The unit of one part: wrench/s of a force is N/s, of a torque N m/(rad s). Other dimensions stay.
  Unit part(Part part) const;
  /// As a slot that is declared rotational reads it: N m is N m/rad, N m/rad is N m/rad2, kg m2 is kg m2/rad2 and so on
  /// for what has kg and m2 (and for its inverse); other units stay.
  Unit rotational() const;

  /// With rad as 1: what remains where an expression has multiplied and divided.
  Unit without_angle() const;

  /// As an engineer writes it: "N s/m", "kg m2", "rad/s", "1". A torque prints as "N m", a rotational stiffness as
  /// "N m/rad", an inertia as "kg m2"; an energy is "J". Different units print differently.
  std::string text() const;
  /// The same for a unit that `parse_unit` reads back, where rad is not added to what is read: an inertia that is
  /// written without rad is "kg m2" and not "J s2".
  std::string written_text() const;

  friend Unit operator*(const Unit& a, const Unit& b);
  friend Unit operator/(const Unit& a, const Unit& b);
  friend bool operator==(const Unit&, const Unit&) = default;
  /// Some fixed order, for sorted containers.
  friend std::strong_ordering operator<=>(const Unit&, const Unit&) = default;

private:
  std::array<Exponent, bases> powers_{};
};

/// A unit as written: SI value = (number * 10^decade) * scale + offset.
struct UnitReading {
  Unit unit;
  double scale = 1;
  int decade = 0;      ///< kept apart from the scale, so that 9 ms and 0.009 s are the same double
  double offset = 0;   ///< in SI; degC alone has one
  bool energy = false; ///< written with J or W: never meant as a torque

  /// scale * 10^decade
  double factor() const;
  double to_si(double number) const;
  double from_si(double value) const;
};

/// Reads "N/mm", "N s/m", "kg m^2", "rad/s", "1/s", "deg", "degC", "%", "N/Hz^(1/2)"; names by udunits2 in a system of
/// units of our own. A blank, '*', '.' and '·' multiply; products and quotients group from the left. Hz is 2 pi rad/s.
/// Empty text reads as "1". Texts that were read are kept, so that the same text again costs a look-up.
/// Errors: unit-unknown (with a near miss), unit-malformed. Any thread.
Result<UnitReading> parse_unit(std::string_view text);

/// The unit of a slot, which may depend on others: a constant times powers of variables, "@y/@u", "@u*s", "N s/m".
/// A variable is a lower-case identifier after '@' (digits belong to it: write "@u^2").
struct UnitExpression {
  UnitReading constant;
  std::vector<std::pair<std::string, Exponent>> variables; ///< by name, each once, none to the power of 0
  bool fixed() const { return variables.empty(); }
};

/// Reads a unit with variables; otherwise as parse_unit.
Result<UnitExpression> parse_unit_expression(std::string_view text);

/// number * 10^decade, as if the number had been written in decimal with that exponent.
double shift_decimal(double number, int decade);

} // namespace hilda::quantity
