// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/units/foreign_units.h"
#include "engine/quantity/unit.h"
#include "tests/engine/repeated.h"
#include "tests/modules.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <random>
#include <set>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

Unit unit(const std::string& text) {
  const Result<UnitReading> reading = parse_unit(text);
  EXPECT_TRUE(reading) << text << ": " << (reading ? "" : reading.error().what);
  return reading ? reading->unit : Unit();
}

double si(double number, const std::string& text) {
  const Result<UnitReading> reading = parse_unit(text);
  EXPECT_TRUE(reading) << text << ": " << (reading ? "" : reading.error().what);
  return reading ? reading->to_si(number) : NAN;
}

Error unit_refusal(const std::string& text) {
  const Result<UnitReading> reading = parse_unit(text);
  EXPECT_FALSE(reading) << text << " reads as " << (reading ? reading->unit.text() : "");
  return reading ? Error{} : reading.error();
}

TEST(Exponent, IsAFractionInLowestTerms) {
  EXPECT_EQ(Exponent(2, 4), Exponent(1, 2));
  EXPECT_EQ(Exponent(1, -2), Exponent(-1, 2));
  EXPECT_EQ(Exponent(1, 2) + Exponent(1, 3), Exponent(5, 6));
  EXPECT_EQ(Exponent(1, 2) - Exponent(1, 2), Exponent(0));
  EXPECT_EQ(Exponent(2, 3) * Exponent(3, 2), Exponent(1));
  EXPECT_EQ(Exponent(1) / Exponent(2), Exponent(1, 2));
  EXPECT_LT(Exponent(1, 3), Exponent(1, 2));
  EXPECT_EQ(Exponent(-3, 2).text(), "-3/2");
}

TEST(Exponent, BeyondItsRangeIsInvalidAndStaysSo) {
  Exponent power = 1;
  for (int i = 0; i < 40; ++i) power = power * 2;
  EXPECT_FALSE(power.valid());
  EXPECT_FALSE((power - power).valid());
  EXPECT_FALSE((Exponent(1) / Exponent(0)).valid());
  EXPECT_EQ(power, Exponent(0, 0));
}

TEST(Unit, AChainOfSquaresEndsInAnInvalidUnitNotInAWrongOne) {
  Unit metre(Unit::Base::length);
  for (int i = 0; i < 20; ++i) metre = metre * metre;
  EXPECT_FALSE(metre.valid());
  EXPECT_EQ(metre.text(), "?");
}

TEST(Unit, MultipliesDividesAndRaises) {
  EXPECT_EQ(unit("N") * unit("m"), unit("J"));
  EXPECT_EQ(unit("m") / unit("s"), unit("m/s"));
  EXPECT_EQ(unit("m2").pow(Exponent(1, 2)), unit("m"));
  EXPECT_TRUE((unit("N") / unit("N")).dimensionless());
}

TEST(UnitReading, ReadsWhatEngineersWrite) {
  for (const char* text : {"N s/m", "N*s/m", "N.s/m", "N·s/m", "N s m-1", "N s m^-1", "s N/m", "(N s)/m", "N/(m/s)"})
    EXPECT_EQ(unit(text), unit("kg/s")) << text;
  for (const char* text : {"kg m2", "kg m^2", "kg*m^2", "kg m²", "kg m m", "N m s2"})
    EXPECT_EQ(unit(text), Unit(Unit::Base::mass) * Unit(Unit::Base::length).pow(2)) << text;
  for (const char* text : {"N m", "Nm", "N.m", "J", "W s", "Pa m3", "V A s"}) EXPECT_EQ(unit(text), unit("J")) << text;
  for (const char* text : {"m/s2", "m/s^2", "m/s/s", "m s-2"})
    EXPECT_EQ(unit(text), Unit(Unit::Base::length) / Unit(Unit::Base::time).pow(2)) << text;
  EXPECT_EQ(unit("1/s"), Unit() / Unit(Unit::Base::time));
  EXPECT_TRUE(unit("1").dimensionless());
  EXPECT_TRUE(unit("").dimensionless());
  EXPECT_TRUE(unit("%").dimensionless());
}

TEST(UnitReading, QuotientsGroupFromTheLeft) {
  EXPECT_EQ(unit("N/m s"), unit("N s/m"));
  EXPECT_EQ(unit("N/m/s"), unit("N/(m s)"));
}

TEST(UnitReading, KnowsScales) {
  EXPECT_EQ(si(176.275, "N/mm"), 176275.0);
  EXPECT_EQ(si(5, "um"), 5e-6);
  EXPECT_EQ(si(5, "µm"), 5e-6);
  EXPECT_EQ(si(2, "kN"), 2000.0);
  EXPECT_EQ(si(3, "mN m"), 3e-3);
  EXPECT_EQ(si(3, "mNm"), 3e-3);
  EXPECT_EQ(si(250, "g"), 0.25);
  EXPECT_EQ(si(1, "t"), 1000.0);
  EXPECT_EQ(si(2, "min"), 120.0);
  EXPECT_EQ(si(2, "h"), 7200.0);
  EXPECT_EQ(si(50, "%"), 0.5);
  EXPECT_EQ(si(1, "mm2"), 1e-6);
  EXPECT_EQ(si(1, "g0"), 9.80665);
  EXPECT_EQ(si(20, "degC"), 293.15);
  EXPECT_DOUBLE_EQ(si(180, "deg"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(180, "°"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(1, "rev"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(si(60, "rpm"), 2 * std::numbers::pi);
}

TEST(UnitReading, APowerOfTenIsAppliedInDecimal) {
  EXPECT_EQ(si(9, "ms"), 0.009); // 9 * 0.001 is another double
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string digits = std::to_string(random() % 1'000'000'000);
    const int exponent = static_cast<int>(random() % 12);
    const double number = std::stod(digits + "e-" + std::to_string(exponent));
    EXPECT_EQ(si(number, "ms"), std::stod(digits + "e-" + std::to_string(exponent + 3))) << digits;
    EXPECT_EQ(si(number, "kN"), std::stod(digits + "e" + std::to_string(3 - exponent))) << digits;
  }
  EXPECT_EQ(shift_decimal(1.5, 3), 1500.0);
  EXPECT_EQ(shift_decimal(0.1, -1), 0.01);
  EXPECT_EQ(shift_decimal(-0.7, 2), -70.0);
  EXPECT_EQ(shift_decimal(1e300, 20), INFINITY);
  EXPECT_EQ(shift_decimal(-1e300, 20), -INFINITY);
  EXPECT_EQ(shift_decimal(1e-300, -200), 0.0);
  EXPECT_EQ(shift_decimal(INFINITY, -3), INFINITY);
}

TEST(UnitReading, ConvertsBack) {
  for (const char* text : {"mm", "deg", "degC", "rpm", "Hz", "kN/mm"}) {
    const Result<UnitReading> reading = parse_unit(text);
    ASSERT_TRUE(reading);
    EXPECT_NEAR(reading->from_si(reading->to_si(12.5)), 12.5, 1e-12) << text;
  }
}

TEST(UnitReading, AngleIsADimension) {
  EXPECT_NE(unit("rad/s"), unit("1/s"));
  EXPECT_EQ(unit("Hz"), unit("rad/s"));
  EXPECT_DOUBLE_EQ(si(1, "Hz"), 2 * std::numbers::pi);
  EXPECT_EQ(unit("deg"), unit("rad"));
  EXPECT_NE(unit("deg"), unit("1"));
  EXPECT_NE(unit("N m/rad"), unit("N m"));
}

TEST(UnitReading, RemembersThatAnEnergyIsMeant) {
  EXPECT_TRUE(parse_unit("J")->energy);
  EXPECT_TRUE(parse_unit("kW s")->energy);
  EXPECT_FALSE(parse_unit("N m")->energy);
}

TEST(UnitReading, TakesRationalPowers) {
  EXPECT_EQ(unit("N/Hz^(1/2)").power(Unit::Base::time), Exponent(-3, 2));
  EXPECT_EQ(unit("N/Hz^0.5"), unit("N/Hz^(1/2)"));
  EXPECT_EQ(unit("m^-0.25"), Unit(Unit::Base::length).pow(Exponent(-1, 4)));
  EXPECT_DOUBLE_EQ(si(1, "mm^(1/2)"), std::sqrt(1e-3));
}

TEST(UnitReading, BlanksMayStandBetweenAllItsSigns) {
  for (const char* text : {"kg/( m s2)", "kg/(m s2 )", " kg / ( m s2 ) ", "kg\t/(m  s2)", "kg/m/s2", "kg m^-1 s^-2",
                           "kg*m-1.s-2", "1/(m s2/kg)", "((kg)/((m)(s2)))", "( kg2 / ( m2 s4 ) )^(1/2)"})
    EXPECT_EQ(unit(text), unit("Pa")) << text;
}

TEST(UnitReading, NamesTheUnknownUnitAndANearMiss) {
  EXPECT_EQ(unit_refusal("Nn").code, "unit-unknown");
  EXPECT_EQ(unit_refusal("HZ").help, "did you mean 'Hz'?");
  EXPECT_EQ(unit_refusal("Kg").help, "did you mean 'kg'?");
  EXPECT_EQ(unit_refusal("radd/s").help, "did you mean 'rad'?");
  EXPECT_EQ(unit_refusal("N/furlong").what, "no unit is called 'furlong', in 'N/furlong'");
  EXPECT_EQ(unit_refusal("kkm").code, "unit-unknown"); // one prefix only
}

TEST(UnitReading, RefusesWhatIsNoUnit) {
  for (const char* text : {"5 m",
                           "m**2",
                           "m^",
                           "(m",
                           "m)",
                           "m/",
                           "/m",
                           "m^2^2",
                           "m^(1/0)",
                           "m^(1/2",
                           "m^100",
                           "m^-100",
                           "m^99999999999999999999",
                           "N-m",
                           "m @ s",
                           "@",
                           "1.5",
                           "10",
                           "m 2",
                           "()",
                           "m,s",
                           "m^0.12345",
                           "%2",
                           "%0"})
    EXPECT_EQ(unit_refusal(text).code, "unit-malformed") << text;
  for (const char* text : {"since", "log(m)", "m since s", "per", "lg(re 1 mW)", "furlong", "milli"})
    EXPECT_EQ(unit_refusal(text).code, "unit-unknown") << text;
  EXPECT_THAT(unit_refusal("m 2").what, HasSubstr("holds a number"));
  EXPECT_THAT(unit_refusal("m,s").what, HasSubstr("where a unit is expected"));
  EXPECT_THAT(unit_refusal("€").what, HasSubstr("has '€' where a unit is expected")); // the character, and not its byte
}

TEST(UnitReading, AnExponentThatIsNotWholeStandsBehindACaret) {
  for (const std::string name : {"W", "m", "Hz", "kg"})
    for (const std::string exponent : {"0.5", "1.5", "-0.5", "0.1", "2.25"}) {
      EXPECT_EQ(unit_refusal(name + exponent).help, "write " + name + "^" + exponent);
      EXPECT_EQ(unit_refusal("V/" + name + exponent).help, "write " + name + "^" + exponent);
    }
  EXPECT_EQ(unit_refusal("V/Hz1/2").help, "write Hz^(1/2)");
  EXPECT_EQ(unit_refusal("m3/2").help, "write m^(3/2)");
  EXPECT_EQ(unit("m2/1").text(), "m2");
}

/// Each name that is answered so is unknown, and the answer has a size that other sources give.
TEST(UnitReading, UnitsThatOthersWriteAreAnsweredWithWhatTheyAre) {
  const std::map<std::string, double> sizes = {{"mil", 2.54e-5},
                                               {"psi", 6894.757293168},
                                               {"mph", 1609.344 / 3600},
                                               {"knot", 1852.0 / 3600},
                                               {"oz", 0.45359237 / 16},
                                               {"hp", 745.69987158},
                                               {"cal", 4.184},
                                               {"gon", std::acos(-1.0) / 200},
                                               {"day", 86400},
                                               {"atm", 101325},
                                               {"dyn", 1e-5}};
  std::size_t seen = 0;
  for (const ForeignUnit& each : foreign_units()) {
    const std::string name(each.name), equals(each.equals);
    EXPECT_THAT(unit_refusal(name).help, HasSubstr(equals)) << name;
    EXPECT_EQ(unit_refusal(name).code, "unit-unknown");
    if (equals.starts_with("$")) continue;
    const std::size_t blank = equals.find(' ');
    const double value = si(std::stod(equals), equals.substr(blank + 1));
    const auto known = sizes.find(name);
    if (known == sizes.end()) continue;
    EXPECT_NEAR(value, known->second, 1e-8 * known->second) << name;
    ++seen;
  }
  EXPECT_EQ(seen, sizes.size());
  for (const char* text : {"degF",
                           "\xC2\xB0"
                           "F",
                           "fahrenheit"})
    EXPECT_THAT(unit_refusal(text).help, HasSubstr("(68 - 32)/1.8"));
  for (const char* text : {"dB", "dBm"}) EXPECT_THAT(unit_refusal(text).help, HasSubstr("10^(x/20)"));
}

TEST(UnitReading, AZeroPointFitsNoProduct) {
  EXPECT_THAT(unit_refusal("W/degC").help, HasSubstr("write K"));
  EXPECT_THAT(unit_refusal("degC2").help, HasSubstr("write K"));
  EXPECT_THAT(unit_refusal("1/degC").help, HasSubstr("write K"));
}

TEST(UnitReading, SurvivesHostileText) {
  EXPECT_EQ(unit_refusal(repeated("m", 100000)).code, "unit-malformed");
  EXPECT_EQ(unit_refusal(repeated("(", 100) + "m").code, "unit-malformed");
  EXPECT_EQ(unit_refusal(repeated("(", 90) + "m" + repeated(")", 90)).code, "unit-malformed");
  EXPECT_EQ(unit_refusal(std::string("m\0s", 3)).code, "unit-malformed");
  EXPECT_EQ(unit_refusal("\xFF\xFE").code, "unit-malformed");
  EXPECT_EQ(unit_refusal("((((m^99)^99)^99)^99)^99").code, "unit-malformed");
  EXPECT_EQ(unit_refusal("km^99 km^99").code, "unit-malformed"); // factor beyond a double
}

TEST(UnitReading, SurvivesRandomText) {
  constexpr std::string_view letters = "mNskgradHz1290 /*.^()-@%_\xC2\xB5\xB7JC";
  std::mt19937_64 random(11);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t length = random() % 12; length > 0; --length) text += letters[random() % letters.size()];
    const Result<UnitReading> reading = parse_unit(text);
    if (!reading) {
      EXPECT_FALSE(reading.error().what.empty()) << text;
      continue;
    }
    ++read;
    EXPECT_TRUE(reading->unit.valid()) << text;
    EXPECT_TRUE(std::isfinite(reading->factor())) << text;
  }
  EXPECT_GT(read, 500);
}

TEST(UnitText, IsWhatAnEngineerWrites) {
  for (const char* text : {"1",         "N",      "N/m",   "N s/m", "N s",      "kg",      "m",
                           "m/s",       "m/s2",   "rad",   "rad/s", "rad/s2",   "s",       "1/s",
                           "W",         "V",      "A",     "Ohm",   "Pa",       "Pa s",    "kg/m3",
                           "J/K",       "m2",     "1/m",   "N/s",   "J",        "W/s",     "m s",
                           "1/(m s)",   "wrench", "twist", "pose",  "wrench/s", "twist/s", "wrench s/twist",
                           "N s^(1/2)", "N2",     "1/N2"})
    EXPECT_EQ(unit(text).text(), text);
  EXPECT_EQ(unit("Hz").text(), "rad/s");
  EXPECT_EQ(unit("kN/mm").text(), "N/m");
  EXPECT_EQ(unit("kg m/s2").text(), "N");
  EXPECT_EQ(unit("kg/s").text(), "N s/m");
}

TEST(UnitText, UnderstandsTheAngleOfRotationalUnits) {
  for (const char* text : {"N m", "N m/rad", "N m s/rad", "N m s", "N m/s", "kg m2", "N m/A", "1/(N m)", "rad/(N m)"})
    EXPECT_EQ(unit(text).rotational().text(), text);
  EXPECT_EQ(unit("N m/rad").text(), "N m"); // a torque, written in full
}

TEST(UnitText, AsAnAuthorWritesItReadsBack) {
  for (const char* text : {"kg m2", "1/(kg m2)", "J", "N s/m", "N/m", "A kg m2", "kg m2/K"}) {
    const Unit is = unit(text);
    EXPECT_EQ(unit(is.written_text()), is) << text;
    const bool in_kilograms = std::string(text).find("kg") != std::string::npos;
    EXPECT_EQ(is.written_text().find("kg") != std::string::npos, in_kilograms) << text;
  }
  EXPECT_EQ(unit("kg*m^2").written_text(), "kg m2");
  EXPECT_EQ(unit("1/(kg*m^2)").written_text(), "1/(kg m2)");
  EXPECT_EQ(unit("W s").written_text(), "J");
}

TEST(UnitText, DiffersForDifferentUnits) {
  std::set<std::string> texts;
  std::set<Unit> units;
  for (int kg = -2; kg <= 2; ++kg)
    for (int m = -3; m <= 3; ++m)
      for (int s = -4; s <= 2; ++s)
        for (int rad = -3; rad <= 3; ++rad)
          for (int ampere = -1; ampere <= 1; ++ampere) {
            const Unit one = Unit(Unit::Base::mass).pow(kg) * Unit(Unit::Base::length).pow(m) *
                             Unit(Unit::Base::time).pow(s) * Unit(Unit::Base::angle).pow(rad) *
                             Unit(Unit::Base::current).pow(ampere);
            EXPECT_TRUE(texts.insert(one.text()).second) << one.text();
            units.insert(one);
          }
  EXPECT_EQ(texts.size(), units.size());
}

TEST(UnitText, ReadsBackAsTheSameUnit) {
  for (int kg = -2; kg <= 2; ++kg)
    for (int m = -3; m <= 3; ++m)
      for (int s = -4; s <= 2; ++s)
        for (int rad = -3; rad <= 3; ++rad) {
          const Unit one = Unit(Unit::Base::mass).pow(kg) * Unit(Unit::Base::length).pow(m) *
                           Unit(Unit::Base::time).pow(s) * Unit(Unit::Base::angle).pow(rad);
          const Result<UnitReading> back = parse_unit(one.text());
          ASSERT_TRUE(back) << one.text();
          const bool understood = kg * m == 2 && kg * kg == 1 && kg * rad < 0;
          EXPECT_EQ(understood ? back->unit.rotational() : back->unit, one) << one.text();
        }
}

TEST(UnitRotational, AddsTheMissingPowersOfRad) {
  EXPECT_EQ(unit("N m").rotational(), unit("N m/rad"));
  EXPECT_EQ(unit("N m/rad").rotational(), unit("N m/rad2"));
  EXPECT_EQ(unit("N m s/rad").rotational(), unit("N m s/rad2"));
  EXPECT_EQ(unit("kg m2").rotational(), unit("kg m2/rad2"));
  EXPECT_EQ(unit("N m s").rotational(), unit("N m s/rad"));
  for (const char* text : {"N", "rad/s", "m", "m/s", "1", "N/m", "kg", "deg"})
    EXPECT_EQ(unit(text).rotational(), unit(text)) << text;
}

TEST(UnitRotational, MakesTheEquationsOfMotionAgree) {
  const Unit torque = unit("N m").rotational(), inertia = unit("kg m2").rotational();
  const Unit stiffness = unit("N m/rad").rotational(), damping = unit("N m s/rad").rotational();
  EXPECT_EQ(stiffness * unit("rad"), torque);
  EXPECT_EQ(damping * unit("rad/s"), torque);
  EXPECT_EQ(inertia * unit("rad/s2"), torque);
  EXPECT_EQ(torque * unit("rad/s"), unit("W"));
  EXPECT_EQ(inertia * unit("rad/s").pow(2), unit("J"));
  EXPECT_NE(torque, unit("J"));
  EXPECT_EQ(torque * unit("s"), inertia * unit("rad/s"));
}

TEST(UnitPart, OfNamedSignals) {
  EXPECT_EQ(unit("wrench").part(Unit::Part::force), unit("N"));
  EXPECT_EQ(unit("wrench").part(Unit::Part::torque), unit("N m").rotational());
  EXPECT_EQ(unit("twist").part(Unit::Part::linear), unit("m/s"));
  EXPECT_EQ(unit("twist").part(Unit::Part::angular), unit("rad/s"));
  EXPECT_EQ(unit("pose").part(Unit::Part::position), unit("m"));
  EXPECT_TRUE(unit("pose").part(Unit::Part::orientation).dimensionless());
  EXPECT_EQ(unit("wrench/s").part(Unit::Part::force), unit("N/s"));
  EXPECT_EQ(unit("wrench s/twist").part(Unit::Part::force), unit("N s/twist"));
  EXPECT_EQ(unit("N").part(Unit::Part::force), unit("N"));
}

TEST(UnitExpression, ReadsPowersOfVariables) {
  const Result<UnitExpression> rate = parse_unit_expression("@y/@u*s");
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->constant.unit, unit("s"));
  ASSERT_EQ(rate->variables.size(), 2U);
  EXPECT_EQ(rate->variables[0], (std::pair<std::string, Exponent>("u", -1)));
  EXPECT_EQ(rate->variables[1], (std::pair<std::string, Exponent>("y", 1)));
  EXPECT_FALSE(rate->fixed());
}

TEST(UnitExpression, JoinsAndCancelsVariables) {
  const Result<UnitExpression> square = parse_unit_expression("@u @u^(1/2) (@u s)^-0.5/@k");
  ASSERT_TRUE(square);
  ASSERT_EQ(square->variables.size(), 2U);
  EXPECT_EQ(square->variables[1].second, Exponent(1));
  EXPECT_TRUE(parse_unit_expression("@u/@u")->fixed());
  EXPECT_EQ(parse_unit_expression("@u2")->variables[0].first, "u2");
}

TEST(UnitExpression, HasPowersInRange) {
  EXPECT_TRUE(parse_unit_expression("(@u^99)^99"));
  const Result<UnitExpression> beyond = parse_unit_expression("((((((@u^99)^99)^99)^99)^99)^99)^99");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, "unit-malformed");
}

TEST(UnitExpression, WithoutVariablesIsAUnit) {
  const Result<UnitExpression> damping = parse_unit_expression("N s/m");
  ASSERT_TRUE(damping);
  EXPECT_TRUE(damping->fixed());
  EXPECT_EQ(damping->constant.unit, unit("N s/m"));
  EXPECT_EQ(unit_refusal("@u*s").code, "unit-malformed");
  EXPECT_EQ(parse_unit_expression("@U").error().code, "unit-malformed");
}

} // namespace
} // namespace hilda::test
