// SPDX-License-Identifier: BSD-3-Clause
// Does a value fit the slot that it is given to?
#include "engine/quantity/detail/units/unit_names.h"
#include "tests/engine/value_text.h"
#include "tests/modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Wanted rotational(const std::string& unit, Extent extent = Extent::scalar()) {
  Wanted wanted = real(unit, extent);
  wanted.unit->unit = wanted.unit->unit.rotational();
  wanted.rotational = true;
  return wanted;
}

Wanted of(Wanted::Element element, Extent extent = Extent::scalar()) {
  Wanted wanted = real("1", extent);
  wanted.element = element;
  return wanted;
}

TEST(Fit, ABareNumberIsInTheDeclaredUnit) {
  EXPECT_THAT(fitted("20", real("ms")), ElementsAre(0.02));
  EXPECT_THAT(fitted("1.5", real("Hz")), ElementsAre(::testing::DoubleEq(3 * std::numbers::pi)));
  EXPECT_THAT(fitted("20", real("degC")), ElementsAre(293.15));
  EXPECT_THAT(fitted("${count}", real("mm")), ElementsAre(0.003));
  EXPECT_EQ(misfit("20 30", real("degC", Extent::vector(2))).code, "unit-mismatch");
}

/// As the same number without `${}`.
TEST(Fit, AResultOfBareNumbersIsInTheDeclaredUnit) {
  EXPECT_THAT(fitted("${20}", real("ms")), ElementsAre(0.02));
  EXPECT_THAT(fitted("${2*10}", real("ms")), ElementsAre(0.02));
  EXPECT_THAT(fitted("${5}", real("Hz")), fitted("5", real("Hz")));
  EXPECT_THAT(fitted("${45*2}", real("deg")), fitted("90", real("deg")));
  EXPECT_THAT(fitted("${25*2}", real("%")), ElementsAre(0.5));
  EXPECT_THAT(fitted("${20}", real("degC")), ElementsAre(293.15));
}

TEST(Fit, AResultOfMeasuredNumbersKeepsItsUnit) {
  EXPECT_THAT(fitted("${2*gap}", real("mm")), ElementsAre(0.01));
  EXPECT_THAT(fitted("${2*5 Hz}", real("Hz")), fitted("10 Hz", real("Hz")));
  EXPECT_THAT(fitted("${gap / 10 mm}", real("%")), ElementsAre(0.5));
  EXPECT_THAT(fitted("${gap / 10 mm}", real("1")), ElementsAre(0.5));
  EXPECT_EQ(misfit("${2*gap}", real("ms")).code, "unit-mismatch");
  EXPECT_EQ(misfit("${gap * gap}", real("mm")).what, "'2.5e-05 m2' is in m2, but mm (m) is expected");
  EXPECT_EQ(misfit("${5 * gap / 1 mm}", real("N")).code, "unit-mismatch"); // 5 N would have to be there
}

/// rad counts as 1 in a calculated unit, so that 1/s may be rad/s; Hz counts turns, and there it must be written.
TEST(Fit, ACalculatedUnitDoesNotTellTurnsFromRadians) {
  EXPECT_THAT(fitted("${sqrt(4 N/m / 1 kg)}", real("rad/s")), ElementsAre(2));
  EXPECT_THAT(fitted("${2 / 4 rad/s}", real("s")), ElementsAre(0.5));
  EXPECT_THAT(fitted("${sqrt(4 N/m / 1 kg)} rad/s", real("Hz")), ElementsAre(2));
  EXPECT_THAT(fitted("${2 * 3 N m}", rotational("N m")), ElementsAre(6));
  EXPECT_THAT(fitted("${atan2(1, 1)}", real("deg")), ElementsAre(std::atan2(1, 1)));
  for (const auto& [text, unit] : {std::pair{"${sqrt(4 N/m / 1 kg)}", "Hz"},
                                   {"${1 / 20 ms}", "Hz"},
                                   {"${1 / 20 ms}", "rpm"},
                                   {"${gap / 1 m}", "deg"},
                                   {"${gap / 1 m / 1 s}", "deg/s"}}) {
    EXPECT_EQ(misfit(text, real(unit)).code, "unit-mismatch") << text;
    EXPECT_THAT(misfit(text, real(unit)).help, HasSubstr("counts radians")) << text;
  }
  EXPECT_EQ(read("${1 / 20 ms} Hz").problem()->code, "unit-mismatch");
}

/// Every unit of the table, in a slot of every unit of the same kind: as a number with that unit, through a parameter,
/// and calculated, the same value arrives.
TEST(Fit, TheSameValueArrivesHoweverItIsWritten) {
  int pairs = 0;
  for (const std::string& from : unit_names())
    for (const std::string& to : unit_names()) {
      const Result<UnitReading> given = parse_unit(from), wanted = parse_unit(to);
      if (given->unit != wanted->unit || given->offset != 0 || wanted->offset != 0) continue;
      if (!given->unit.power(Unit::Base::wrench).zero() || !given->unit.power(Unit::Base::twist).zero() ||
          !given->unit.power(Unit::Base::pose).zero())
        continue;
      ++pairs;
      const MapScope with{{"x", "2.5 " + from}, {"plain", "2.5"}, {"list", "1 2.5 " + from}};
      const auto arrives = [&](const std::string& text) {
        const Result<Value> value = read_value(text, with);
        if (!value) return value.error().what;
        const Result<Shaped> shaped = fit(*value, real(to));
        return shaped ? decimal(shaped->numbers[0]) : shaped.error().what;
      };
      const std::string once = decimal(given->to_si(2.5)), twice = decimal(2 * given->to_si(2.5));
      for (const std::string& text :
           {"2.5 " + from, std::string("${x}"), std::string("${list[1]}"), "${2.5 " + from + "}", "${plain} " + from,
            "${x} " + from, std::string("${-(-x)}"), std::string("${x + 0}")})
        EXPECT_EQ(arrives(text), once) << text << " in " << to;
      for (const std::string& text :
           {std::string("${2*x}"), std::string("${x + x}"), "${x + 2.5 " + from + "}", "${2*x} " + from})
        EXPECT_EQ(arrives(text), twice) << text << " in " << to;
      for (const std::string& text : {std::string("${plain}"), std::string("${2*plain - 2.5}"), std::string("${2.5}")})
        EXPECT_EQ(arrives(text), decimal(wanted->to_si(2.5))) << text << " in " << to;
    }
  EXPECT_GT(pairs, 500);
}

TEST(Fit, UnitsMustAgree) {
  EXPECT_THAT(fitted("0.02 s", real("ms")), ElementsAre(0.02));
  EXPECT_EQ(fit(read("1 mm"), real("m"))->unit->text(), "m");
  const Error wrong = misfit("5 N/mm", real("ms"));
  EXPECT_EQ(wrong.code, "unit-mismatch");
  EXPECT_EQ(wrong.what, "'5 N/mm' is in N/mm (N/m), but ms (s) is expected");
  EXPECT_EQ(wrong.help, "write the value in ms");
  EXPECT_EQ(misfit("5 mm", real()).help, "write the number without a unit");
  EXPECT_THAT(misfit("5 1/s", real("rad/s")).help, HasSubstr("Hz"));
  EXPECT_EQ(misfit("5 deg", real()).code, "unit-mismatch");
  EXPECT_THAT(misfit("1 2 3 4 5 6 N", real("wrench", Extent::vector(6))).help, HasSubstr("in SI"));
  EXPECT_EQ(misfit("${speed} 0 0", real("m", Extent::vector(3))).code, "unit-mismatch");
}

TEST(Fit, AnyUnitWhereTheSlotNamesNone) {
  Wanted any;
  any.extent = Extent::scalar();
  EXPECT_EQ(fit(read("5 mm"), any)->unit->text(), "m");
  EXPECT_THAT(fitted("5 mm", any), ElementsAre(0.005));
  EXPECT_FALSE(fit(read("5"), any)->unit);
}

TEST(Fit, RotationalSlotsReadTorqueAndInertia) {
  EXPECT_THAT(fitted("5 N m", rotational("N m")), ElementsAre(5));
  EXPECT_THAT(fitted("5 mNm", rotational("N m")), ElementsAre(0.005));
  EXPECT_THAT(fitted("5 N m/rad", rotational("N m/rad")), ElementsAre(5));
  EXPECT_THAT(fitted("5 N m/rad2", rotational("N m/rad")), ElementsAre(5)); // written in full
  EXPECT_THAT(fitted("1 N m/deg", rotational("N m/rad")), ElementsAre(::testing::DoubleEq(180 / std::numbers::pi)));
  EXPECT_THAT(fitted("5 N m s/rad", rotational("N m s/rad")), ElementsAre(5));
  EXPECT_THAT(fitted("5 kg m2", rotational("kg m2")), ElementsAre(5));
  EXPECT_THAT(fitted("${torque}", rotational("N m")), ElementsAre(2));
  EXPECT_THAT(fitted("90 deg/s", rotational("rad/s")), ElementsAre(::testing::DoubleEq(std::numbers::pi / 2)));
  EXPECT_EQ(fit(read("5 N m"), rotational("N m"))->unit->text(), "N m");
}

TEST(Fit, RotationalSlotsRefuseTheRest) {
  EXPECT_THAT(misfit("5 J", rotational("N m")).help, HasSubstr("a torque is not an energy"));
  EXPECT_EQ(misfit("5 N m/rad", rotational("N m")).what, "'5 N m/rad' is in N m/rad, but N m is expected");
  EXPECT_EQ(misfit("5 N m", rotational("N m/rad")).what, "'5 N m' is in N m, but N m/rad is expected");
  EXPECT_EQ(misfit("5 N", rotational("N m")).code, "unit-mismatch");
  EXPECT_EQ(misfit("5 kg", rotational("kg m2")).code, "unit-mismatch");
  EXPECT_EQ(misfit("5 N/m", rotational("N m/rad")).code, "unit-mismatch");
  EXPECT_EQ(misfit("5 N m/rad", real("N/m")).code, "unit-mismatch");
}

TEST(Fit, OneNumberIsAMultipleOfTheIdentity) {
  EXPECT_THAT(fitted("2 kg", real("kg", Extent::matrix(2, 2))), ElementsAre(2, 0, 0, 2));
  EXPECT_THAT(fitted("2", real("1", Extent::matrix(1, 1))), ElementsAre(2));
  EXPECT_EQ(misfit("2", real("1", Extent::matrix(2, 3))).code, "value-shape");
}

TEST(Fit, NNumbersAreTheDiagonal) {
  EXPECT_THAT(fitted("1 2 3", real("1", Extent::matrix(3, 3))), ElementsAre(1, 0, 0, 0, 2, 0, 0, 0, 3));
  EXPECT_THAT(fitted("1 2; 3 4", real("1", Extent::matrix(2, 2))), ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(misfit("1 2", real("1", Extent::matrix(3, 3))).code, "value-shape");
  EXPECT_EQ(misfit("1 2 3 4", real("1", Extent::matrix(2, 2))).code, "value-shape");
  EXPECT_THAT(misfit("1 2", real("1", Extent::matrix(3, 3))).help, HasSubstr("diagonal"));
}

TEST(Fit, RowsAndColumns) {
  EXPECT_THAT(fitted("1 2 3", real("1", Extent::matrix(1, 3))), ElementsAre(1, 2, 3));
  EXPECT_THAT(fitted("1 2 3", real("1", Extent::matrix(3, 1))), ElementsAre(1, 2, 3));
  EXPECT_THAT(fitted("1;2;3", real("1", Extent::vector(3))), ElementsAre(1, 2, 3));
  EXPECT_EQ(misfit("1 2 3;", real("1", Extent::vector(3))).code, "value-shape");
}

TEST(Fit, OneNumberIsNotSpreadOverAVector) {
  const Error wrong = misfit("5", real("1", Extent::vector(3)));
  EXPECT_EQ(wrong.what, "'5' is one number, but 3 numbers are expected");
  EXPECT_THAT(wrong.help, HasSubstr("not spread"));
  EXPECT_THAT(fitted("5", real("1", Extent::vector(1))), ElementsAre(5));
  EXPECT_EQ(misfit("1 2", real("1", Extent::vector(3))).what, "'1 2' is 2 numbers, but 3 numbers are expected");
  EXPECT_EQ(misfit("1 2", real()).what, "'1 2' is 2 numbers, but one number is expected");
}

TEST(Fit, OpenExtentsComeFromTheValue) {
  const auto extent = [](const std::string& text, Extent wanted) { return fit(read(text), real("1", wanted))->extent; };
  EXPECT_EQ(extent("1 2 3", Extent::vector(-1)), Extent::vector(3));
  EXPECT_EQ(extent("5", Extent::vector(-1)), Extent::vector(1));
  EXPECT_EQ(extent("1 2; 3 4", Extent::matrix(-1, -1)), Extent::matrix(2, 2));
  EXPECT_EQ(extent("1 2", Extent::matrix(-1, -1)), Extent::matrix(2, 2));
  EXPECT_EQ(extent("1 2 3; 4 5 6", Extent::matrix(2, -1)), Extent::matrix(2, 3));
  EXPECT_EQ(extent("1 2 3", Extent::any()), Extent::vector(3));
  EXPECT_EQ(extent("1 2; 3 4", Extent::any()), Extent::matrix(2, 2));
  EXPECT_EQ(extent("7", Extent::any()), Extent::scalar());
  EXPECT_EQ(misfit("1 2; 3 4", real("1", Extent::matrix(3, -1))).code, "value-shape");
}

TEST(Fit, WholeNumbersAreExact) {
  EXPECT_THAT(fitted("42", of(Wanted::Element::integer)), ElementsAre(42));
  EXPECT_THAT(fitted("1e3", of(Wanted::Element::integer)), ElementsAre(1000));
  EXPECT_THAT(fitted("9007199254740991", of(Wanted::Element::integer)), ElementsAre(9007199254740991.0));
  for (const char* rounded : {"9007199254740992", "9007199254740993", "-9007199254740993", "${9007199254740991 + 2}"})
    EXPECT_EQ(misfit(rounded, of(Wanted::Element::integer)).code, "value-range") << rounded;
  EXPECT_EQ(misfit("2.5", of(Wanted::Element::integer)).code, "value-kind");
  EXPECT_EQ(misfit("inf", of(Wanted::Element::integer)).code, "value-kind");
  EXPECT_EQ(misfit("12345678901234567890", of(Wanted::Element::integer)).code, "value-range");
  EXPECT_EQ(misfit("true", of(Wanted::Element::integer)).code, "value-kind");
}

TEST(Fit, BooleansAreWords) {
  EXPECT_THAT(fitted("on", of(Wanted::Element::boolean)), ElementsAre(1));
  EXPECT_THAT(fitted("${count > 2}", of(Wanted::Element::boolean)), ElementsAre(1));
  EXPECT_THAT(fitted("${!count}", of(Wanted::Element::boolean)), ElementsAre(0)); // a sign alone calculates, too
  EXPECT_THAT(fitted("${fast}", of(Wanted::Element::boolean)), ElementsAre(1));
  EXPECT_THAT(fitted("on off", of(Wanted::Element::boolean, Extent::vector(2))), ElementsAre(1, 0));
  EXPECT_EQ(misfit("1", of(Wanted::Element::boolean)).code, "value-kind");
  EXPECT_EQ(misfit("yes", of(Wanted::Element::boolean)).help, "write true, false, on or off");
  EXPECT_EQ(misfit("${count}", of(Wanted::Element::boolean)).code, "value-kind");
}

TEST(Fit, TextTakesEverythingAsWritten) {
  for (const char* text : {"work", "5", "5 Nn", "true", "1,5", ""})
    EXPECT_EQ(fit(read(text), of(Wanted::Element::text))->text, text);
  EXPECT_EQ(fit(read("${speed}"), of(Wanted::Element::text))->text, "50 mm/s");
}

TEST(Fit, TextIsNoNumber) {
  EXPECT_EQ(misfit("fast", real()).what, "'fast' is given where a number is expected");
  EXPECT_EQ(misfit("", real()).what, "an empty text is given where a number is expected");
  EXPECT_EQ(misfit("nan", real()).code, "value-kind");
  EXPECT_EQ(misfit("5 Nn", real()).code, "unit-unknown");
  EXPECT_EQ(misfit("on", real()).code, "value-kind");
}

TEST(Value, IsMadeInCodeToo) {
  EXPECT_EQ(Value::measured(0.001, parse_unit("s")->unit).text, "0.001 s");
  EXPECT_THAT(fit(Value::measured(0.001, parse_unit("s")->unit), real("ms"))->numbers, ElementsAre(0.001));
  EXPECT_EQ(Value::of_boolean(true).text, "true");
  EXPECT_EQ(Value::of_text("a").text, "a");
  EXPECT_EQ(Value::bare(0.1).text, "0.1");
  EXPECT_EQ(decimal(1e-9), "1e-09");
}

} // namespace
} // namespace hilda::test
