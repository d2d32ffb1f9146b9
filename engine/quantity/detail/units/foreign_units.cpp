// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/units/foreign_units.h"

#include <algorithm>
#include <array>

namespace hilda::quantity {
namespace {

constexpr std::array<ForeignUnit, 49> foreign{{
    {"mil", "0.0254 mm"},
    {"mils", "0.0254 mm"},
    {"thou", "0.0254 mm"},
    {"yd", "0.9144 m"},
    {"yard", "0.9144 m"},
    {"mile", "1.609344 km"},
    {"nmi", "1.852 km"},
    {"mph", "0.44704 m/s"},
    {"kph", "1 km/h"},
    {"kmh", "1 km/h"},
    {"knot", "1.852 km/h"},
    {"ips", "1 in/s"},
    {"fps", "1 ft/s"},
    {"oz", "28.349523125 g"},
    {"ounce", "28.349523125 g"},
    {"lbs", "1 lb"},
    {"pound", "1 lb"},
    {"slug", "14.59390294 kg"},
    {"ton", "1 t"},
    {"ozf", "0.27801385095 N"},
    {"kp", "1 kgf"},
    {"dyn", "0.01 mN"},
    {"pdl", "0.138254954376 N"},
    {"psi", "6.894757293 kPa"},
    {"atm", "101.325 kPa"},
    {"torr", "133.3223684 Pa"},
    {"mmHg", "133.322387415 Pa"},
    {"hp", "745.6998716 W"},
    {"PS", "735.49875 W"},
    {"VA", "1 W"},
    {"cal", "4.184 J"},
    {"kcal", "4.184 kJ"},
    {"erg", "1e-7 J"},
    {"BTU", "1055.05585262 J"},
    {"Btu", "1055.05585262 J"},
    {"eV", "1.602176634e-19 J"},
    {"gauss", "1e-4 T"},
    {"gon", "0.9 deg"},
    {"grad", "0.9 deg"},
    {"rps", "1 rev/s"},
    {"cps", "1 Hz"},
    {"day", "24 h"},
    {"days", "24 h"},
    {"week", "168 h"},
    {"gal", "3.785411784 L"},
    {"liter", "1 L"},
    {"ppb", "1e-3 ppm"},
    {"degR", "${1/1.8} K"},
    {"rankine", "${1/1.8} K"},
}};

constexpr std::array<std::string_view, 3> fahrenheit = {"degF", "fahrenheit", "Fahrenheit"};
constexpr std::array<std::string_view, 7> logarithms = {"dB", "db", "DB", "dBm", "dBV", "Np", "bel"};

template <class Names> bool lists(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::span<const ForeignUnit> foreign_units() { return foreign; }

std::string help_for_foreign_unit(std::string_view name) {
  if (lists(fahrenheit, name))
    return "write degC: 68 degF is ${(68 - 32)/1.8} degC, and a difference of 1 degF is 1/1.8 K";
  if (lists(logarithms, name))
    return "write the ratio itself: x dB are ${10^(x/20)} of an amplitude, ${10^(x/10)} of a power";
  const auto* const found =
      std::find_if(foreign.begin(), foreign.end(), [name](const ForeignUnit& each) { return each.name == name; });
  return found == foreign.end() ? "" : "1 " + std::string(name) + " is " + std::string(found->equals) + ": write that";
}

} // namespace hilda::quantity
