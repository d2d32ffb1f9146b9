// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/printed_unit.h"

#include <array>
#include <cstdlib>
#include <limits>

namespace hilda::quantity {
namespace {

using Base = Unit::Base;

/// A named unit that can stand for mass in the printed text: all of them hold kg to the power of one.
struct NamedUnit {
  const char* name;
  int length, time, current;
  Unit unit() const {
    return Unit(Base::mass) * Unit(Base::length).pow(length) * Unit(Base::time).pow(time) *
           Unit(Base::current).pow(current);
  }
};

/// Newton first.
constexpr std::array<NamedUnit, 6> heads{
    {{"N", 1, -2, 0}, {"J", 2, -2, 0}, {"W", 2, -3, 0}, {"Pa", -1, -2, 0}, {"V", 2, -3, -1}, {"Ohm", 2, -3, -2}}};

struct BaseSymbol {
  Base base;
  const char* name;
};

/// In the order in which they are printed.
constexpr std::array<BaseSymbol, Unit::bases> symbols{{{Base::wrench, "wrench"},
                                                       {Base::twist, "twist"},
                                                       {Base::pose, "pose"},
                                                       {Base::mass, "kg"},
                                                       {Base::current, "A"},
                                                       {Base::length, "m"},
                                                       {Base::time, "s"},
                                                       {Base::temperature, "K"},
                                                       {Base::amount, "mol"},
                                                       {Base::luminosity, "cd"},
                                                       {Base::angle, "rad"}}};

/// How long the text gets: the sum of the powers.
double length_of(const Unit& unit) {
  double sum = 0;
  for (const BaseSymbol& symbol : symbols) sum += std::abs(unit.power(symbol.base).value());
  return sum;
}

std::string factor(const char* name, Exponent power) {
  if (power == 1) return name;
  return power.whole() ? name + power.text() : name + ("^(" + power.text() + ")");
}

/// Numerator and denominator of the printed fraction.
class PrintedQuotient {
public:
  void add(const char* name, Exponent power) {
    if (power.zero()) return;
    std::string& side = power.negative() ? below_ : above_;
    if (power.negative()) ++count_below_;
    side += (side.empty() ? "" : " ") + factor(name, power.negative() ? -power : power);
  }
  std::string text() const {
    std::string above = above_.empty() ? "1" : above_;
    if (below_.empty()) return above;
    return above + (count_below_ > 1 ? "/(" + below_ + ")" : "/" + below_);
  }

private:
  std::string above_, below_;
  int count_below_ = 0;
};

/// `unit` with the powers of kg in the given head, or in kg itself.
std::string print(const Unit& unit, const NamedUnit* head) {
  PrintedQuotient fraction;
  Unit rest = unit;
  if (head != nullptr) {
    const Exponent power = unit.power(Base::mass);
    fraction.add(head->name, power);
    rest = unit / head->unit().pow(power);
  }
  for (const BaseSymbol& symbol : symbols) fraction.add(symbol.name, rest.power(symbol.base));
  return fraction.text();
}

/// The head that makes the shortest text; `rotational` units are written in newtons, others of the same kind in joules.
const NamedUnit* shortest_head(const Unit& unit, bool energetic, bool rotational) {
  const Exponent kilograms = unit.power(Base::mass);
  if (kilograms.zero()) return nullptr;
  const bool in_kilograms = rotational || (!energetic && unit.power(Base::time).zero());
  const NamedUnit* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  if (in_kilograms) least = length_of(unit);
  for (const NamedUnit& head : heads) {
    const bool is_newton = &head == &heads.front();
    if (is_newton ? (energetic && !rotational) : rotational) continue;
    const double words = std::abs(kilograms.value()) + length_of(unit / head.unit().pow(kilograms));
    if (words < least) best = &head, least = words;
  }
  return best;
}

} // namespace

std::string Unit::text() const {
  if (!valid()) return "?";
  const Exponent kilograms = power(Base::mass);
  const bool direct = kilograms == 1 && power(Base::length) == 2;
  const bool inverse = kilograms == -1 && power(Base::length) == -2;
  const bool energetic = direct || inverse;
  const Exponent angles = direct ? -power(Base::angle) : power(Base::angle);
  if (!energetic || angles <= 0) return print(*this, shortest_head(*this, energetic, false));
  // The inverse of rotational(): the missing powers of rad are understood.
  const int understood = power(Base::time).zero() ? 2 : 1;
  const Unit written = *this * Unit(Base::angle).pow(direct ? understood : -understood);
  return print(written, shortest_head(written, true, true));
}

std::string Unit::written_text() const {
  const bool direct = power(Base::mass) == 1 && power(Base::length) == 2;
  const bool inverse = power(Base::mass) == -1 && power(Base::length) == -2;
  const bool mass_of_an_area = (direct || inverse) && power(Base::time).zero() && power(Base::angle).zero();
  return mass_of_an_area && valid() ? print(*this, nullptr) : text();
}

Unit printed_unit(const UnitReading& read, std::string_view text) {
  const std::string plain = read.unit.text();
  if (read.energy || plain == text) return read.unit;
  const Unit rotational = read.unit.rotational();
  return plain == "J" || plain == "W" || rotational.text() == text ? rotational : read.unit;
}

} // namespace hilda::quantity
