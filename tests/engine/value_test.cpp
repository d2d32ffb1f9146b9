#include "engine/units/unit_names.h"
#include "engine/value/value.h"
#include "tests/engine/map_scope.h"
#include "tests/engine/repeated.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <locale>
#include <numbers>
#include <random>

namespace hilda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Value::Kind;
using Basis = Value::Basis;
constexpr double infinity = std::numeric_limits<double>::infinity();

const MapScope& scope() {
  static const MapScope parameters{{"speed", "50 mm/s"},  {"count", "3"},      {"robot", "kuka"},
                                   {"fast", "on"},        {"gap", "5 mm"},     {"axis", "1 0 0"},
                                   {"gains", "1 2; 3 4"}, {"torque", "2 N m"}, {"unit", "mm"}};
  return parameters;
}

Value read(const std::string& text) {
  const Outcome<Value> value = read_value(text, scope());
  EXPECT_TRUE(value) << text << ": " << (value ? "" : value.complaint().what);
  return value ? *value : Value();
}

Complaint refusal(const std::string& text) {
  const Outcome<Value> value = read_value(text, scope());
  EXPECT_FALSE(value) << text;
  return value ? Complaint{} : value.complaint();
}

/// Why the text is no number.
Complaint problem(const std::string& text) {
  const Value value = read(text);
  EXPECT_EQ(value.kind, Kind::text) << text;
  EXPECT_EQ(value.text, text);
  EXPECT_TRUE(value.problem) << text;
  return value.problem.value_or(Complaint{});
}

Wanted real(const std::string& unit = "1", Extent extent = Extent::scalar()) {
  Wanted wanted;
  wanted.extent = extent;
  wanted.unit = *parse_unit(unit);
  wanted.unit_text = unit;
  return wanted;
}

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

std::vector<double> fitted(const std::string& text, const Wanted& wanted) {
  const Outcome<Shaped> shaped = fit(read(text), wanted);
  EXPECT_TRUE(shaped) << text << ": " << (shaped ? "" : shaped.complaint().what);
  return shaped ? shaped->numbers : std::vector<double>();
}

Complaint misfit(const std::string& text, const Wanted& wanted) {
  const Outcome<Shaped> shaped = fit(read(text), wanted);
  EXPECT_FALSE(shaped) << text;
  return shaped ? Complaint{} : shaped.complaint();
}

TEST(ReadValue, ANumberWithAUnitIsConvertedAtOnce) {
  const Value stiffness = read("176.275 N/mm");
  EXPECT_EQ(stiffness.kind, Kind::number);
  EXPECT_EQ(stiffness.basis, Basis::measured);
  EXPECT_THAT(stiffness.numbers, ElementsAre(176275.0));
  EXPECT_EQ(stiffness.unit()->text(), "N/m");
  EXPECT_EQ(stiffness.unit_text, "N/mm");
  EXPECT_EQ(stiffness.text, "176.275 N/mm");
}

TEST(ReadValue, TheUnitMayFollowWithoutABlank) {
  EXPECT_THAT(read("4ms").numbers, ElementsAre(0.004));
  EXPECT_THAT(read("50%").numbers, ElementsAre(0.5));
  EXPECT_THAT(read("1 2mm").numbers, ElementsAre(0.001, 0.002));
  EXPECT_THAT(read("90°").numbers, ElementsAre(testing::DoubleEq(std::numbers::pi / 2)));
  EXPECT_THAT(read("2 1/s").numbers, ElementsAre(2.0));
}

TEST(ReadValue, NumbersInAllSpellings) {
  EXPECT_THAT(read("1e-3").numbers, ElementsAre(1e-3));
  EXPECT_THAT(read("+2.5E+2").numbers, ElementsAre(250.0));
  EXPECT_THAT(read("-.5").numbers, ElementsAre(-0.5));
  EXPECT_THAT(read("5.").numbers, ElementsAre(5.0));
  EXPECT_THAT(read(" \t\n7\r ").numbers, ElementsAre(7.0));
  EXPECT_THAT(read("inf -inf +inf").numbers, ElementsAre(infinity, -infinity, infinity));
  EXPECT_EQ(read("inf mm").unit()->text(), "m");
  EXPECT_EQ(read("5").basis, Basis::bare);
}

TEST(ReadValue, VectorsAndMatrices) {
  const Value vector = read("1 2 3 mm");
  EXPECT_EQ(vector.extent, Extent::vector(3));
  EXPECT_THAT(vector.numbers, ElementsAre(0.001, 0.002, 0.003));
  const Value matrix = read("1 2 3; 4 5 6");
  EXPECT_EQ(matrix.extent, Extent::matrix(2, 3));
  EXPECT_THAT(matrix.numbers, ElementsAre(1, 4, 2, 5, 3, 6)); // column-major
  EXPECT_EQ(read("1 2; 3 4;").extent, Extent::matrix(2, 2));
  EXPECT_EQ(read("1 2;").extent, Extent::matrix(1, 2));
  EXPECT_EQ(read("1;2;3").extent, Extent::matrix(3, 1));
  EXPECT_THAT(read("1 2; 3 4 kN").numbers, ElementsAre(1000, 3000, 2000, 4000));
}

TEST(ReadValue, Booleans) {
  EXPECT_THAT(read("true").numbers, ElementsAre(1));
  EXPECT_THAT(read("off").numbers, ElementsAre(0));
  EXPECT_EQ(read("on").kind, Kind::boolean);
  EXPECT_THAT(read("on off true").numbers, ElementsAre(1, 0, 1));
  EXPECT_EQ(read("True").kind, Kind::text);
  EXPECT_EQ(read("on 1").kind, Kind::text);
}

TEST(ReadValue, AnythingElseIsText) {
  for (const char* text : {"", "  ", "work", "rigs/two_walls.xml", "nan", "NaN", "info", "a b c", "N/mm", "e5"}) {
    EXPECT_EQ(read(text).kind, Kind::text) << text;
    EXPECT_EQ(read(text).text, text);
    EXPECT_FALSE(read(text).problem) << text;
  }
}

TEST(ReadValue, WhatBeginsLikeANumberSaysWhyItIsNone) {
  EXPECT_EQ(problem("5 Nn").code, "unit-unknown");
  EXPECT_EQ(problem("5 Nn").help, "did you mean 'N'?");
  EXPECT_EQ(problem("0x10").code, "unit-unknown");
  EXPECT_THAT(problem("1,5 N").help, HasSubstr("decimal point"));
  EXPECT_THAT(problem("1, 2, 3").help, HasSubstr("blanks between numbers"));
  for (const char* text : {"1.2.3", "--5", "- 5", "1-2", "1 2-3", "+", ".", "1/2", "5 6/7 m"})
    EXPECT_EQ(problem(text).code, "value-number") << text;
  EXPECT_EQ(problem("5 m m^").code, "unit-malformed");
  EXPECT_EQ(problem("1 mm; 2 mm").code, "unit-malformed");
  EXPECT_EQ(problem("1e999").code, "value-range");
  EXPECT_EQ(problem("1e-999").code, "value-range");
  EXPECT_EQ(problem("1 2; 3").code, "value-shape");
  EXPECT_EQ(problem("1 2;; 3 4").code, "value-shape");
  EXPECT_EQ(problem("20 30 degC").code, "unit-malformed");
}

TEST(ReadValue, AZeroPointIsAddedToASingleNumber) {
  EXPECT_THAT(read("20 degC").numbers, ElementsAre(293.15));
  EXPECT_EQ(read("20 degC").unit()->text(), "K");
}

TEST(ReadValue, ABareNameHandsOnAnyValue) {
  EXPECT_EQ(read("${speed}").unit_text, "mm/s");
  EXPECT_THAT(read(" ${ speed } ").numbers, ElementsAre(0.05));
  EXPECT_EQ(read("${robot}").text, "kuka");
  EXPECT_EQ(read("${fast}").kind, Kind::boolean);
  EXPECT_EQ(read("${gains}").extent, Extent::matrix(2, 2));
  EXPECT_EQ(read("${count}").basis, Basis::bare);
}

TEST(ReadValue, ElementsMayBeExpressions) {
  const Value velocity = read("${speed} 0 0");
  EXPECT_EQ(velocity.extent, Extent::vector(3));
  EXPECT_EQ(velocity.unit()->text(), "m/s");
  EXPECT_THAT(velocity.bases, ElementsAre(Basis::measured, Basis::bare, Basis::bare));
  EXPECT_THAT(fitted("${speed} 0 20", real("mm/s", Extent::vector(3))), ElementsAre(0.05, 0, 0.02));
  EXPECT_THAT(fitted("${2*speed} 1 0", real("mm/s", Extent::vector(3))), ElementsAre(0.1, 0.001, 0));
  EXPECT_THAT(fitted("${2*speed} ${speed} 1 mm/s", real("m/s", Extent::vector(3))), ElementsAre(0.1, 0.05, 0.001));
  EXPECT_EQ(misfit("${2*speed} ${gap}", real("m", Extent::vector(2))).code, "unit-mismatch");
  EXPECT_THAT(read("${gap} 1 -${gap} mm").kind, Kind::text);
  EXPECT_THAT(read("${gap} 1 ${-gap}").numbers, ElementsAre(0.005, 1, -0.005));
  EXPECT_THAT(read("${gap} 0; 0 ${gap}").numbers, ElementsAre(0.005, 0, 0, 0.005));
}

TEST(ReadValue, AUnitAppliesToBareNumbersOnly) {
  EXPECT_THAT(read("${count} mm").numbers, ElementsAre(0.003));
  EXPECT_THAT(read("${2*count}mm").numbers, ElementsAre(0.006));
  EXPECT_THAT(read("${gap} 1 mm").numbers, ElementsAre(0.005, 0.001));
  EXPECT_THAT(read("${2*gap} mm").numbers, ElementsAre(0.01)); // has a unit: the one behind it is compared
  EXPECT_EQ(read("${2*gap} s").problem->code, "unit-mismatch");
  EXPECT_EQ(read("${speed} 1 mm").problem->code, "unit-mismatch");
  EXPECT_EQ(read("${speed} ${gap}").problem->code, "unit-mismatch");
}

TEST(ReadValue, TextTakesScalarsAndText) {
  EXPECT_EQ(read("rigs/${robot}.xml").text, "rigs/kuka.xml");
  EXPECT_EQ(read("run_${count}_${robot}").text, "run_3_kuka");
  EXPECT_EQ(read("${count}${count}").text, "33");
  EXPECT_EQ(read("log_${2*count}").text, "log_6");
  EXPECT_THAT(read("5 ${unit}").numbers, ElementsAre(0.005)); // read as if it stood there
  EXPECT_EQ(refusal("x${axis}").code, "expression-kind");
}

/// What `${}` brings is a number of its own, and no digits or signs for what stands beside it.
TEST(ReadValue, NumbersAreNotGluedTogether) {
  for (const char* text : {"-${gap}", "${count}${count}", "1${count}", "${count}5", "1e${count}", "${count}.5",
                           "+${count}", "-${2*count}", "0.${count} mm", "1 -${gap}", "1 2${count}"}) {
    if (read(text).kind == Kind::number) ADD_FAILURE() << text << " reads as " << read(text).numbers[0];
    EXPECT_EQ(read(text).problem.value_or(Complaint{}).code, "value-number") << text;
    EXPECT_EQ(misfit(text, real("mm")).code, "value-number") << text;
  }
  EXPECT_THAT(read("-${gap}").problem->help, HasSubstr("within the braces"));
  EXPECT_EQ(read("run${count}${count}").text, "run33"); // texts may be put together
  EXPECT_EQ(read("${count}x").kind, Kind::text);
}

TEST(ReadValue, ComplainsAboutExpressions) {
  EXPECT_EQ(refusal("${").code, "expression-malformed");
  EXPECT_EQ(refusal("5 ${gap mm").code, "expression-malformed");
  EXPECT_EQ(refusal("${gpa}").help, "did you mean 'gap'?");
  EXPECT_EQ(refusal("a ${gpa}").code, "expression-name");
  EXPECT_TRUE(refusal("${broken}").already_reported());
  EXPECT_TRUE(refusal("1 ${2*broken}").already_reported());
}

TEST(ReadValue, DoesNotFollowTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
    char do_thousands_sep() const override { return '.'; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  EXPECT_THAT(read("1.5 mm").numbers, ElementsAre(0.0015));
  EXPECT_THAT(read("${1.5*2.25}").numbers, ElementsAre(3.375));
  EXPECT_EQ(read("x${1000.5+1}").text, "x1001.5");
  std::locale::global(before);
}

TEST(ReadValue, SurvivesHostileText) {
  std::string list;
  for (int i = 0; i < 50000; ++i) list += "1 ";
  EXPECT_EQ(read(list).extent, Extent::vector(50000));
  EXPECT_EQ(read(list + "mm").numbers.size(), 50000U);
  EXPECT_EQ(problem(list + "x").code, "unit-unknown");
  EXPECT_EQ(read(repeated("a", 100000)).kind, Kind::text);
  EXPECT_EQ(problem(repeated("9", 100000)).code, "value-range");
  EXPECT_EQ(problem("1 " + repeated("m", 100000)).code, "unit-malformed");
  EXPECT_THAT(read("0." + repeated("0", 100000)).numbers, ElementsAre(0));
  EXPECT_EQ(problem(repeated("-", 100000)).code, "value-number");
  EXPECT_EQ(read(repeated(";", 100000)).kind, Kind::text);
  EXPECT_EQ(refusal("${" + repeated("(", 100000) + "}").code, "expression-malformed");
  EXPECT_EQ(refusal("${" + repeated("{", 100000) + "}").code, "expression-malformed");
  EXPECT_EQ(refusal(std::string("5 \x01", 3)).code, "value-number");
  EXPECT_LT(problem(repeated("-", 100000)).what.size(), 200U); // messages stay short
}

TEST(ReadValue, SurvivesRandomText) {
  const std::string letters = "0123456789.eE+-;, \t${}()[]*/^mNsradspeed&|<>=!?:%inf_#\"";
  std::mt19937_64 random(3);
  for (int i = 0; i < 30000; ++i) {
    std::string text = i % 2 == 0 ? "" : "${";
    for (std::size_t length = random() % 16; length > 0; --length) text += letters[random() % letters.size()];
    if (i % 2 != 0) text += "}";
    const Outcome<Value> value = read_value(text, scope());
    if (!value) {
      EXPECT_FALSE(value.complaint().code.empty()) << text;
      EXPECT_FALSE(value.complaint().help.empty()) << text;
      continue;
    }
    const auto size = static_cast<std::size_t>(value->extent.rows * value->extent.cols);
    EXPECT_EQ(value->numbers.size(), value->kind == Kind::text ? 0 : size) << text;
    for (const double number : value->numbers) EXPECT_FALSE(std::isnan(number)) << text;
    const Outcome<Shaped> shaped = fit(*value, real("mm", Extent::vector(2)));
    if (!shaped) { EXPECT_FALSE(shaped.complaint().help.empty()) << text; }
  }
}

/// As a slot for an expression takes it: constants, so that "${a}^2" of -5 is 25.
TEST(ReadValue, ATextForAnExpressionHasNamedConstants) {
  const MapScope with{
      {"a", "-5"}, {"mass", "1 kg"}, {"law", "${a}*u"}, {"outer", "${law} + ${mass}"}, {"plain", "u+v"}};
  const auto constants = [&](const std::string& text) {
    std::string all = read_value(text, with)->with_constants;
    for (char& c : all)
      if (c == '\x1f') c = '|';
    return all;
  };
  EXPECT_EQ(constants("${a}^2 + 0*u"), "${a}^2 + 0*u|${a}=-5");
  EXPECT_EQ(constants("u*${mass}"), "u*${mass}|${mass}=1"); // and not "1 kg"
  EXPECT_EQ(constants("u*${2*a}*${3*a}*${2*a}"), "u*${__0}*${__1}*${__2}|${__0}=-10|${__1}=-15|${__2}=-10");
  EXPECT_EQ(constants("u + ${a} - ${a}"), "u + ${a} - ${a}|${a}=-5");
  EXPECT_EQ(constants("2*${plain}"), "2*(u+v)");
  EXPECT_EQ(constants("2*${law}"), "2*(${a}*u)|${a}=-5");
  EXPECT_EQ(constants("2*${outer}"), "2*((${a}*u) + ${mass})|${a}=-5|${mass}=1");
  const MapScope inner{{"a", "7"}, {"law", "3"}};
  EXPECT_EQ(read("5 mm").with_constants, "");
}

/// Two parameters of one name in two scopes stay two.
TEST(ReadValue, ConstantsOfAnotherScopeKeepTheirValue) {
  const MapScope around{{"a", "2"}, {"law", "${a}*u"}};
  struct Inside : Scope {
    const MapScope& around;
    Value own = Value::bare(7);
    explicit Inside(const MapScope& a) : around(a) {}
    Outcome<const Value*> find(const std::string& name) const override {
      return name == "a" ? Outcome<const Value*>(&own) : around.find(name);
    }
    std::vector<std::string> names() const override { return {}; }
  };
  EXPECT_EQ(read_value("${a} + ${law}", Inside(around))->with_constants, "${a} + (${0}*u)\x1f${0}=2\x1f${a}=7");
}

TEST(ReadValue, ManyConstantsTakeNoTime) {
  const MapScope with{{"a", "-5"}};
  std::string text = "u";
  for (int i = 0; i < 60000; ++i) text += "+${2*a}";
  EXPECT_GT(read_value(text, with)->with_constants.size(), text.size());
}

TEST(References, NamesTheParametersInOrder) {
  EXPECT_THAT(references("${a} ${b*a} ${sin(c)+pi} d"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(references("5 mm"), ElementsAre());
  EXPECT_THAT(references("${rig.mass} ${"), ElementsAre("rig.mass"));
}

TEST(Fit, ABareNumberIsInTheDeclaredUnit) {
  EXPECT_THAT(fitted("20", real("ms")), ElementsAre(0.02));
  EXPECT_THAT(fitted("1.5", real("Hz")), ElementsAre(testing::DoubleEq(3 * std::numbers::pi)));
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
  EXPECT_EQ(misfit("${gap * gap}", real("mm")).what, "'2.5e-05 m2' is in m2, but mm (m) is wanted");
  EXPECT_EQ(misfit("${5 * gap / 1 mm}", real("N")).code, "unit-mismatch"); // 5 N would have to stand there
}

/// rad counts as 1 in a calculated unit, so that 1/s may be rad/s; Hz counts turns, and there it has to be said.
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
  EXPECT_EQ(read("${1 / 20 ms} Hz").problem->code, "unit-mismatch");
}

/// Every unit of the table, in a slot of every unit of the same kind: as a number with that unit, through a parameter,
/// and calculated, the same value arrives.
TEST(Fit, TheSameValueArrivesHoweverItIsWritten) {
  int pairs = 0;
  for (const std::string& from : unit_names())
    for (const std::string& to : unit_names()) {
      const Outcome<UnitReading> given = parse_unit(from), wanted = parse_unit(to);
      if (given->unit != wanted->unit || given->offset != 0 || wanted->offset != 0) continue;
      if (!given->unit.power(Unit::Base::wrench).zero() || !given->unit.power(Unit::Base::twist).zero() ||
          !given->unit.power(Unit::Base::pose).zero())
        continue;
      ++pairs;
      const MapScope with{{"x", "2.5 " + from}, {"plain", "2.5"}, {"list", "1 2.5 " + from}};
      const auto arrives = [&](const std::string& text) {
        const Outcome<Value> value = read_value(text, with);
        if (!value) return value.complaint().what;
        const Outcome<Shaped> shaped = fit(*value, real(to));
        return shaped ? decimal(shaped->numbers[0]) : shaped.complaint().what;
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
  const Complaint wrong = misfit("5 N/mm", real("ms"));
  EXPECT_EQ(wrong.code, "unit-mismatch");
  EXPECT_EQ(wrong.what, "'5 N/mm' is in N/mm (N/m), but ms (s) is wanted");
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
  EXPECT_THAT(fitted("1 N m/deg", rotational("N m/rad")), ElementsAre(testing::DoubleEq(180 / std::numbers::pi)));
  EXPECT_THAT(fitted("5 N m s/rad", rotational("N m s/rad")), ElementsAre(5));
  EXPECT_THAT(fitted("5 kg m2", rotational("kg m2")), ElementsAre(5));
  EXPECT_THAT(fitted("${torque}", rotational("N m")), ElementsAre(2));
  EXPECT_THAT(fitted("90 deg/s", rotational("rad/s")), ElementsAre(testing::DoubleEq(std::numbers::pi / 2)));
  EXPECT_EQ(fit(read("5 N m"), rotational("N m"))->unit->text(), "N m");
}

TEST(Fit, RotationalSlotsRefuseTheRest) {
  EXPECT_THAT(misfit("5 J", rotational("N m")).help, HasSubstr("a torque is no energy"));
  EXPECT_EQ(misfit("5 N m/rad", rotational("N m")).what, "'5 N m/rad' is in N m/rad, but N m is wanted");
  EXPECT_EQ(misfit("5 N m", rotational("N m/rad")).what, "'5 N m' is in N m, but N m/rad is wanted");
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
  const Complaint wrong = misfit("5", real("1", Extent::vector(3)));
  EXPECT_EQ(wrong.what, "'5' is one number, but 3 numbers are wanted");
  EXPECT_THAT(wrong.help, HasSubstr("not spread"));
  EXPECT_THAT(fitted("5", real("1", Extent::vector(1))), ElementsAre(5));
  EXPECT_EQ(misfit("1 2", real("1", Extent::vector(3))).what, "'1 2' is 2 numbers, but 3 numbers are wanted");
  EXPECT_EQ(misfit("1 2", real()).what, "'1 2' is 2 numbers, but one number is wanted");
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
  EXPECT_THAT(fitted("9007199254740992", of(Wanted::Element::integer)), ElementsAre(9007199254740992.0));
  EXPECT_EQ(misfit("2.5", of(Wanted::Element::integer)).code, "value-kind");
  EXPECT_EQ(misfit("inf", of(Wanted::Element::integer)).code, "value-kind");
  EXPECT_EQ(misfit("12345678901234567890", of(Wanted::Element::integer)).code, "value-range");
  EXPECT_EQ(misfit("true", of(Wanted::Element::integer)).code, "value-kind");
}

TEST(Fit, BooleansAreWords) {
  EXPECT_THAT(fitted("on", of(Wanted::Element::boolean)), ElementsAre(1));
  EXPECT_THAT(fitted("${count > 2}", of(Wanted::Element::boolean)), ElementsAre(1));
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
  EXPECT_EQ(misfit("fast", real()).what, "'fast' is given where a number is wanted");
  EXPECT_EQ(misfit("", real()).what, "an empty text is given where a number is wanted");
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
} // namespace hilda
