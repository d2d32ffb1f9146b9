// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/units/unit_names.h"

#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <numbers>
#include <udunits2.h>

namespace hilda::quantity {
namespace {

using Base = Unit::Base;
constexpr double pi = std::numbers::pi;

/// Our base units; the radian is one of them.
struct BaseUnit {
  const char *symbol, *name, *plural;
  Base base;
};
constexpr std::array<BaseUnit, 8> base_units{{{"kg", "kilogram", "kilograms", Base::mass},
                                              {"m", "metre", "metres", Base::length},
                                              {"s", "second", "seconds", Base::time},
                                              {"A", "ampere", "amperes", Base::current},
                                              {"K", "kelvin", "kelvins", Base::temperature},
                                              {"mol", "mole", "moles", Base::amount},
                                              {"cd", "candela", "candelas", Base::luminosity},
                                              {"rad", "radian", "radians", Base::angle}}};

/// scale times a product of units above it in the table. Names are read in any case, symbols are not.
struct DerivedUnit {
  const char *symbol, *name, *plural;
  double scale;
  const char* product;
};
constexpr DerivedUnit derived_units[] = {
    {nullptr, "meter", "meters", 1, "m"},
    {"sec", nullptr, nullptr, 1, "s"},
    {"min", "minute", "minutes", 60, "s"},
    {"h", "hour", "hours", 3600, "s"},
    {"g", "gram", "grams", 1e-3, "kg"},
    {"t", "tonne", "tonnes", 1e3, "kg"},
    {"lb", nullptr, nullptr, 0.45359237, "kg"},
    {"in", "inch", "inches", 0.0254, "m"},
    {"ft", "foot", "feet", 0.3048, "m"},
    {"deg", "degree", "degrees", pi / 180, "rad"},
    {"arcmin", nullptr, nullptr, pi / 10800, "rad"},
    {"arcsec", nullptr, nullptr, pi / 648000, "rad"},
    {"rev", "revolution", "revolutions", 2 * pi, "rad"},
    {"turn", nullptr, "turns", 2 * pi, "rad"},
    {"cycle", nullptr, "cycles", 2 * pi, "rad"},
    {"Hz", "hertz", nullptr, 2 * pi, "rad.s-1"},
    {"rpm", nullptr, nullptr, pi / 30, "rad.s-1"},
    {"N", "newton", "newtons", 1, "kg.m.s-2"},
    {"kgf", nullptr, nullptr, 9.80665, "N"},
    {"lbf", nullptr, nullptr, 4.4482216152605, "N"},
    {"Nm", nullptr, nullptr, 1, "N.m"},
    {"Nms", nullptr, nullptr, 1, "N.m.s"},
    {"Ns", nullptr, nullptr, 1, "N.s"},
    {"Pa", "pascal", nullptr, 1, "N.m-2"},
    {"bar", nullptr, nullptr, 1e5, "Pa"},
    {"J", "joule", "joules", 1, "N.m"},
    {"W", "watt", "watts", 1, "J.s-1"},
    {"Wh", nullptr, nullptr, 3600, "J"},
    {"C", "coulomb", nullptr, 1, "A.s"},
    {"V", "volt", "volts", 1, "W.A-1"},
    {"Ohm", "ohm", "ohms", 1, "V.A-1"},
    {"S", "siemens", nullptr, 1, "Ohm-1"},
    {"F", "farad", nullptr, 1, "C.V-1"},
    {"H", "henry", nullptr, 1, "V.s.A-1"},
    {"Wb", "weber", nullptr, 1, "V.s"},
    {"T", "tesla", nullptr, 1, "Wb.m-2"},
    {"L", "litre", "litres", 1e-3, "m3"},
    {"gn", nullptr, nullptr, 9.80665, "m.s-2"},
    {"%", "percent", nullptr, 1e-2, "1"},
    {"ppm", nullptr, nullptr, 1e-6, "1"},
};

struct Prefix {
  const char *symbol, *name;
  double scale;
};
constexpr Prefix prefixes[] = {{"p", "pico", 1e-12}, {"n", "nano", 1e-9}, {"u", "micro", 1e-6}, {"m", "milli", 1e-3},
                               {"c", "centi", 1e-2}, {"d", "deci", 1e-1}, {"h", "hecto", 1e2},  {"k", "kilo", 1e3},
                               {"M", "mega", 1e6},   {"G", "giga", 1e9},  {"T", "tera", 1e12}};

/// Takes the content of an udunits2 unit apart.
struct Dissection {
  const std::array<const ut_unit*, base_units.size()>* bases;
  UnitReading reading;
  double factor = 1;

  void multiply(const ut_unit* basic, int power) {
    for (std::size_t i = 0; i < base_units.size(); ++i)
      if (ut_compare(basic, (*bases)[i]) == 0) reading.unit = reading.unit * Unit(base_units[i].base).pow(power);
  }
};

ut_status visit_basic(const ut_unit* unit, void* into) {
  static_cast<Dissection*>(into)->multiply(unit, 1);
  return UT_SUCCESS;
}

ut_status visit_product(const ut_unit*, int count, const ut_unit* const* basics, const int* powers, void* into) {
  for (int i = 0; i < count; ++i) static_cast<Dissection*>(into)->multiply(basics[i], powers[i]);
  return UT_SUCCESS;
}

extern const ut_visitor dissecting;

ut_status visit_galilean(const ut_unit*, double scale, const ut_unit* underlying, double offset, void* into) {
  auto& content = *static_cast<Dissection*>(into);
  content.factor *= scale;
  content.reading.offset += offset * scale;
  return ut_accept_visitor(underlying, &dissecting, into);
}

ut_status refuse_timestamp(const ut_unit*, const ut_unit*, double, void*) { return UT_MEANINGLESS; }
ut_status refuse_logarithm(const ut_unit*, double, const ut_unit*, void*) { return UT_MEANINGLESS; }

const ut_visitor dissecting = {visit_basic, visit_product, visit_galilean, refuse_timestamp, refuse_logarithm};

/// The power of ten that the factor is, taken apart from its scale.
void set_factor(UnitReading& reading, double factor) {
  const int decade = static_cast<int>(std::lround(std::log10(factor)));
  const bool power_of_ten = shift_decimal(1.0, decade) == factor;
  reading.decade = power_of_ten ? decade : 0;
  reading.scale = power_of_ten ? 1.0 : factor;
}

/// udunits2 does not look whether malloc gave it memory, and its parser writes through null. Memory that is taken and
/// given back here stays with the process (it is below glibc's threshold of trimming), so that the library finds it.
void ensure_memory() {
  constexpr std::size_t most = 32768; // a parse takes 17 kB, for the most part the scanner's buffer
  ::operator delete(::operator new(most));
}

/// A system of units of udunits2 that holds the tables above. It lives as long as the process.
class UnitSystem {
public:
  UnitSystem() : system_(ut_new_system()) {
    ut_set_error_message_handler(ut_ignore);
    for (std::size_t i = 0; i < base_units.size(); ++i) {
      ensure_memory();
      ut_unit* unit = ut_new_base_unit(system_);
      bases_[i] = unit;
      name(unit, base_units[i].symbol, base_units[i].name, base_units[i].plural);
    }
    for (const Prefix& prefix : prefixes) {
      ensure_memory();
      ut_add_symbol_prefix(system_, prefix.symbol, prefix.scale);
      ut_add_name_prefix(system_, prefix.name, prefix.scale);
    }
    for (const DerivedUnit& derived : derived_units) define(derived);
    const Handle kelvin(ut_get_unit_by_symbol(system_, "K"));
    const Handle celsius(ut_offset(kelvin.get(), 273.15));
    name(celsius.get(), "degC", "celsius", nullptr);
  }

  std::optional<UnitReading> find(const std::string& text) const {
    ensure_memory();
    const Handle unit(ut_parse(system_, text.c_str(), UT_ASCII));
    if (unit == nullptr) return std::nullopt;
    Dissection content{&bases_, {}, 1};
    const ut_status status = ut_accept_visitor(unit.get(), &dissecting, &content);
    if (status != UT_SUCCESS || !(content.factor > 0)) return std::nullopt;
    set_factor(content.reading, content.factor);
    return content.reading;
  }

private:
  struct Free {
    void operator()(ut_unit* unit) const { ut_free(unit); }
  };
  using Handle = std::unique_ptr<ut_unit, Free>;

  void define(const DerivedUnit& derived) {
    ensure_memory();
    const Handle product(ut_parse(system_, derived.product, UT_ASCII));
    const Handle scaled(ut_scale(derived.scale, product.get()));
    name(scaled.get(), derived.symbol, derived.name, derived.plural);
  }

  void name(ut_unit* unit, const char* symbol, const char* singular, const char* plural) {
    if (symbol != nullptr) ut_map_symbol_to_unit(symbol, UT_ASCII, unit);
    if (singular != nullptr) ut_map_name_to_unit(singular, UT_ASCII, unit);
    if (plural != nullptr) ut_map_name_to_unit(plural, UT_ASCII, unit);
  }

  ut_system* system_;
  std::array<const ut_unit*, base_units.size()> bases_{};
};

} // namespace

std::optional<UnitReading> find_unit(const std::string& name) {
  if (name == "g0") return find_unit("gn");
  if (name == "wrench") return UnitReading{Unit(Base::wrench)};
  if (name == "twist") return UnitReading{Unit(Base::twist)};
  if (name == "pose") return UnitReading{Unit(Base::pose)};
  static const UnitSystem& system = *new UnitSystem;
  std::optional<UnitReading> found = system.find(name);
  if (found) found->energy = name.find('J') != std::string::npos || name.find('W') != std::string::npos;
  return found;
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"mm",  "um",   "cm",  "km",   "ms",     "us",    "mN",  "kN", "kg",
                                 "mg",  "kHz",  "MHz", "mNm",  "kNm",    "mV",    "mA",  "kW", "MPa",
                                 "kPa", "mrad", "g0",  "degC", "wrench", "twist", "pose"};
    for (const BaseUnit& unit : base_units) all.insert(all.end(), {unit.symbol, unit.name});
    for (const DerivedUnit& unit : derived_units) {
      if (unit.symbol != nullptr) all.emplace_back(unit.symbol);
      if (unit.name != nullptr) all.emplace_back(unit.name);
    }
    return all;
  }();
  return names;
}

} // namespace hilda::quantity
