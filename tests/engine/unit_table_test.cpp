// SPDX-License-Identifier: BSD-3-Clause
// Every unit that has a name, against a table that was written from the SI brochure (9th edition, 2019) and NIST SP 811
// and not from ours; and against the database of udunits2, where it is installed.

#include "engine/quantity/detail/units/unit_names.h"
#include "engine/quantity/unit.h"
#include "tests/modules.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <udunits2.h>

namespace hilda::test {
namespace {

struct WantedUnit {
  double factor;
  const char* base; ///< in base units, rad among them
};

constexpr double degree = std::numbers::pi / 180, circle = 2 * std::numbers::pi;

const std::map<std::string, WantedUnit>& table() {
  static const std::map<std::string, WantedUnit> units{
      {"kg", {1, "kg"}},
      {"kilogram", {1, "kg"}},
      {"kilograms", {1, "kg"}},
      {"g", {0.001, "kg"}},
      {"gram", {0.001, "kg"}},
      {"grams", {0.001, "kg"}},
      {"mg", {0.000001, "kg"}},
      {"t", {1000, "kg"}},
      {"tonne", {1000, "kg"}},
      {"tonnes", {1000, "kg"}},
      {"lb", {0.45359237, "kg"}},
      {"m", {1, "m"}},
      {"metre", {1, "m"}},
      {"metres", {1, "m"}},
      {"meter", {1, "m"}},
      {"meters", {1, "m"}},
      {"km", {1000, "m"}},
      {"cm", {0.01, "m"}},
      {"mm", {0.001, "m"}},
      {"um", {0.000001, "m"}},
      {"in", {0.0254, "m"}},
      {"inch", {0.0254, "m"}},
      {"inches", {0.0254, "m"}},
      {"ft", {0.3048, "m"}},
      {"foot", {0.3048, "m"}},
      {"feet", {0.3048, "m"}},
      {"L", {0.001, "m3"}},
      {"litre", {0.001, "m3"}},
      {"litres", {0.001, "m3"}},
      {"s", {1, "s"}},
      {"sec", {1, "s"}},
      {"second", {1, "s"}},
      {"seconds", {1, "s"}},
      {"ms", {0.001, "s"}},
      {"us", {0.000001, "s"}},
      {"min", {60, "s"}},
      {"minute", {60, "s"}},
      {"minutes", {60, "s"}},
      {"h", {3600, "s"}},
      {"hour", {3600, "s"}},
      {"hours", {3600, "s"}},
      {"A", {1, "A"}},
      {"ampere", {1, "A"}},
      {"amperes", {1, "A"}},
      {"mA", {0.001, "A"}},
      {"K", {1, "K"}},
      {"kelvin", {1, "K"}},
      {"kelvins", {1, "K"}},
      {"degC", {1, "K"}},
      {"celsius", {1, "K"}},
      {"mol", {1, "mol"}},
      {"mole", {1, "mol"}},
      {"moles", {1, "mol"}},
      {"cd", {1, "cd"}},
      {"candela", {1, "cd"}},
      {"candelas", {1, "cd"}},
      {"rad", {1, "rad"}},
      {"radian", {1, "rad"}},
      {"radians", {1, "rad"}},
      {"mrad", {0.001, "rad"}},
      {"deg", {degree, "rad"}},
      {"degree", {degree, "rad"}},
      {"degrees", {degree, "rad"}},
      {"arcmin", {degree / 60, "rad"}},
      {"arcsec", {degree / 3600, "rad"}},
      {"rev", {circle, "rad"}},
      {"revolution", {circle, "rad"}},
      {"revolutions", {circle, "rad"}},
      {"turn", {circle, "rad"}},
      {"turns", {circle, "rad"}},
      {"cycle", {circle, "rad"}},
      {"cycles", {circle, "rad"}},
      {"Hz", {circle, "rad s-1"}},
      {"hertz", {circle, "rad s-1"}},
      {"kHz", {1000 * circle, "rad s-1"}},
      {"MHz", {1000000 * circle, "rad s-1"}},
      {"rpm", {circle / 60, "rad s-1"}},
      {"N", {1, "kg m s-2"}},
      {"newton", {1, "kg m s-2"}},
      {"newtons", {1, "kg m s-2"}},
      {"mN", {0.001, "kg m s-2"}},
      {"kN", {1000, "kg m s-2"}},
      {"kgf", {9.80665, "kg m s-2"}},
      {"lbf", {4.4482216152605, "kg m s-2"}},
      {"Nm", {1, "kg m2 s-2"}},
      {"mNm", {0.001, "kg m2 s-2"}},
      {"kNm", {1000, "kg m2 s-2"}},
      {"Nms", {1, "kg m2 s-1"}},
      {"Ns", {1, "kg m s-1"}},
      {"Pa", {1, "kg m-1 s-2"}},
      {"pascal", {1, "kg m-1 s-2"}},
      {"kPa", {1000, "kg m-1 s-2"}},
      {"MPa", {1000000, "kg m-1 s-2"}},
      {"bar", {100000, "kg m-1 s-2"}},
      {"J", {1, "kg m2 s-2"}},
      {"joule", {1, "kg m2 s-2"}},
      {"joules", {1, "kg m2 s-2"}},
      {"W", {1, "kg m2 s-3"}},
      {"watt", {1, "kg m2 s-3"}},
      {"watts", {1, "kg m2 s-3"}},
      {"kW", {1000, "kg m2 s-3"}},
      {"Wh", {3600, "kg m2 s-2"}},
      {"C", {1, "A s"}},
      {"coulomb", {1, "A s"}},
      {"V", {1, "kg m2 s-3 A-1"}},
      {"volt", {1, "kg m2 s-3 A-1"}},
      {"volts", {1, "kg m2 s-3 A-1"}},
      {"mV", {0.001, "kg m2 s-3 A-1"}},
      {"Ohm", {1, "kg m2 s-3 A-2"}},
      {"ohm", {1, "kg m2 s-3 A-2"}},
      {"ohms", {1, "kg m2 s-3 A-2"}},
      {"S", {1, "kg-1 m-2 s3 A2"}},
      {"siemens", {1, "kg-1 m-2 s3 A2"}},
      {"F", {1, "kg-1 m-2 s4 A2"}},
      {"farad", {1, "kg-1 m-2 s4 A2"}},
      {"H", {1, "kg m2 s-2 A-2"}},
      {"henry", {1, "kg m2 s-2 A-2"}},
      {"Wb", {1, "kg m2 s-2 A-1"}},
      {"weber", {1, "kg m2 s-2 A-1"}},
      {"T", {1, "kg s-2 A-1"}},
      {"tesla", {1, "kg s-2 A-1"}},
      {"gn", {9.80665, "m s-2"}},
      {"g0", {9.80665, "m s-2"}},
      {"%", {0.01, "1"}},
      {"percent", {0.01, "1"}},
      {"ppm", {0.000001, "1"}},
  };
  return units;
}

TEST(UnitTable, HoldsEveryNameThatIsOffered) {
  for (const std::string& name : unit_names())
    EXPECT_TRUE(table().count(name) == 1 || name == "wrench" || name == "twist" || name == "pose") << name;
}

TEST(UnitTable, AgreesWithTheSi) {
  for (const auto& [name, wanted] : table()) {
    const Result<UnitReading> reading = parse_unit(name), base = parse_unit(wanted.base);
    ASSERT_TRUE(reading) << name;
    ASSERT_TRUE(base) << name;
    EXPECT_EQ(reading->unit, base->unit) << name << " is in " << reading->unit.text();
    EXPECT_EQ(base->factor(), 1) << wanted.base;
    const double offset = name == "degC" || name == "celsius" ? 273.15 : 0;
    for (const double number : {1.0, -2.5, 1000.0})
      EXPECT_NEAR(reading->to_si(number), number * wanted.factor + offset, std::abs(number) * wanted.factor * 4e-16)
          << number << " " << name;
  }
}

TEST(UnitTable, PrefixesArePowersOfTen) {
  const std::map<std::string, double> symbols{{"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3},
                                              {"c", 1e-2},  {"d", 1e-1}, {"h", 1e2},  {"k", 1e3},
                                              {"M", 1e6},   {"G", 1e9},  {"T", 1e12}};
  const std::map<std::string, double> names{{"pico", 1e-12}, {"nano", 1e-9}, {"micro", 1e-6}, {"milli", 1e-3},
                                            {"centi", 1e-2}, {"deci", 1e-1}, {"hecto", 1e2},  {"kilo", 1e3},
                                            {"mega", 1e6},   {"giga", 1e9},  {"tera", 1e12}};
  const auto expect = [](const std::string& name, double factor) {
    const Result<UnitReading> reading = parse_unit(name);
    ASSERT_TRUE(reading) << name;
    EXPECT_NEAR(reading->to_si(3), 3 * factor, 3 * factor * 4e-16) << name;
  };
  for (const auto& [prefix, factor] : symbols) {
    for (const char* unit : {"N", "V", "J", "W"}) expect(prefix + unit, factor);
    expect(prefix + "Hz", factor * circle);
  }
  for (const auto& [prefix, factor] : names)
    for (const char* unit : {"metre", "second", "newton", "volt"}) expect(prefix + unit, factor);
}

/// The same names in the database that comes with udunits2, where angles are numbers and Hz is 1/s.
TEST(UnitTable, AgreesWithTheDatabaseOfUdunits) {
  ut_set_error_message_handler(ut_ignore);
  ut_system* const system = ut_read_xml(nullptr);
  if (system == nullptr) GTEST_SKIP() << "the database of udunits2 is not installed";
  // Other things of the same name there: 'rev' is none, 'gn' and 'T' are; F is farad, degC has a zero point.
  const std::set<std::string> apart{"Hz", "hertz", "kHz", "MHz", "degC", "celsius", "rpm"};
  int compared = 0;
  for (const auto& [name, wanted] : table()) {
    if (apart.count(name) > 0) continue;
    ut_unit* const theirs = ut_parse(system, name.c_str(), UT_UTF8);
    ut_unit* const base = ut_parse(system, wanted.base, UT_ASCII);
    if (theirs != nullptr && base != nullptr && ut_are_convertible(theirs, base) != 0) {
      cv_converter* const convert = ut_get_converter(theirs, base);
      EXPECT_NEAR(cv_convert_double(convert, 1.0), parse_unit(name)->to_si(1), wanted.factor * 1e-6) << name;
      cv_free(convert);
      ++compared;
    }
    ut_free(theirs), ut_free(base);
  }
  ut_free_system(system);
  EXPECT_GT(compared, 80);
}

} // namespace
} // namespace hilda::test
