// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/expression.h"
#include "tests/engine/map_scope.h"
#include "tests/engine/repeated.h"
#include "tests/modules.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const MapScope& scope() {
  static const MapScope parameters{{"a", "2"},        {"gap", "5 mm"},   {"v", "1 2 3 mm"}, {"m", "1 2; 3 4"},
                                   {"robot", "kuka"}, {"fast", "on"},    {"min", "7"},      {"rig.mass", "10 kg"},
                                   {"limit", "inf"},  {"wrong", "5 Nn"}, {"w", "${gap} 7"}, {"switches", "on off"}};
  return parameters;
}

double number(const std::string& expression) {
  const Result<Value> value = evaluate(expression, scope());
  EXPECT_TRUE(value) << expression << ": " << (value ? "" : value.error().what);
  return value && value->scalar() ? value->numbers[0] : NAN;
}

Error refused(const std::string& expression) {
  const Result<Value> value = evaluate(expression, scope());
  EXPECT_FALSE(value) << expression;
  return value ? Error{} : value.error();
}

TEST(Expression, Calculates) {
  EXPECT_EQ(number("1 + 2 * 3"), 7);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("8 - 4 - 2"), 2);
  EXPECT_EQ(number("8 / 4 / 2"), 1);
  EXPECT_EQ(number("-a*3 + 2^-1"), -5.5);
  EXPECT_EQ(number("!0 + 1 == 2 && 3 > 2 || 0"), 1);
  EXPECT_EQ(number("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(number("--a"), 2);
  EXPECT_EQ(number("2^3^2"), 512);
  EXPECT_EQ(number("-a"), -2);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("1e3/4"), 250);
  EXPECT_EQ(number("\t2 *\n pi "), 2 * std::numbers::pi);
}

TEST(Expression, KnowsFunctions) {
  EXPECT_EQ(number("sin(1)"), std::sin(1.0));
  EXPECT_EQ(number("atan2(1, -1)"), std::atan2(1.0, -1.0));
  EXPECT_EQ(number("log(exp(2))"), 2);
  EXPECT_EQ(number("log10(1000)"), 3);
  EXPECT_EQ(number("sqrt(16)"), 4);
  EXPECT_EQ(number("abs(-3) + sign(-2) + floor(2.7) + ceil(2.2) + round(2.5)"), 10);
  EXPECT_EQ(number("min(3, 1, 2) + max(3, 1, 2)"), 4);
  EXPECT_EQ(number("cos (pi) + max  (1, 2) * (3)"), 5);
}

TEST(Expression, ComparesAndChooses) {
  EXPECT_EQ(number("a > 1 ? 10 : 20"), 10);
  EXPECT_EQ(number("a >= 2 && a <= 2 && a == 2 && !(a != 2)"), 1);
  EXPECT_EQ(number("a < 1 || 0"), 0);
  EXPECT_EQ(number("fast ? 3 : 4"), 3);
  EXPECT_EQ(number("!fast"), 0);
  EXPECT_EQ(number("a > 0 ? 1/a : 1/0"), 0.5); // the other choice does no harm
}

TEST(Expression, ABareNameHandsOnTheValue) {
  EXPECT_EQ(evaluate("gap", scope())->unit()->text(), "m");
  EXPECT_EQ(evaluate(" v ", scope())->extent, Extent::vector(3));
  EXPECT_EQ(evaluate("robot", scope())->text, "kuka");
  EXPECT_EQ(evaluate("wrong", scope())->problem()->code, "unit-unknown");
  EXPECT_EQ(evaluate("rig.mass", scope())->numbers[0], 10);
}

/// "0.01 m", "6" for a bare result, "6 1" for one without a dimension that was made of units.
std::string result(const std::string& expression) {
  const Result<Value> value = evaluate(expression, scope());
  EXPECT_TRUE(value) << expression << ": " << (value ? "" : value.error().what);
  if (!value) return "";
  return decimal(value->numbers[0]) + (value->unit() ? " " + value->unit()->text() : "");
}

TEST(Expression, ArithmeticIsInSiAndCarriesUnits) {
  EXPECT_EQ(result("2*gap"), "0.01 m");
  EXPECT_EQ(result("rig.mass*gap"), "0.05 kg m");
  EXPECT_EQ(result("rig.mass / gap"), "2000 kg/m");
  EXPECT_EQ(result("gap^2"), "2.5e-05 m2");
  EXPECT_EQ(result("gap^-1"), "200 1/m");
  EXPECT_EQ(result("(4*gap*gap)^0.5"), "0.01 m");
  EXPECT_EQ(result("(4*gap*gap)^(1/2)"), "0.01 m");
  EXPECT_EQ(result("sqrt(gap*gap)"), "0.005 m");
  EXPECT_EQ(result("-gap"), "-0.005 m");
  EXPECT_EQ(result("abs(-gap)"), "0.005 m");
  EXPECT_EQ(result("gap + v[0]"), "0.006 m");
  EXPECT_EQ(result("gap - 1 mm"), "0.004 m");
  EXPECT_EQ(result("max(gap, v[0], 7 mm)"), "0.007 m");
  EXPECT_EQ(result("max(v)"), "0.003 m");
  EXPECT_EQ(result("min(gap, v)"), "0.001 m");
  EXPECT_EQ(result("max(2 mm, 4 * max(v))"), "0.012 m");
  EXPECT_EQ(result("max(m, 3) - min( m )"), "3");
  EXPECT_FALSE(evaluate("max(2*v)", scope())) << "only where it stands alone";
  EXPECT_FALSE(evaluate("abs(v)", scope()));
  EXPECT_EQ(result("gap > 1 mm ? gap : v[0]"), "0.005 m");
  EXPECT_EQ(result("gap / v[1]"), "2.5 1");
  EXPECT_EQ(result("1 - gap / v[1]"), "-1.5 1");
  EXPECT_EQ(result("round(gap / v[1])"), "3 1");
  EXPECT_TRUE(evaluate("2*gap", scope())->calculated);
  EXPECT_FALSE(evaluate("gap", scope())->calculated);
}

TEST(Expression, OfNumbersWithoutUnitsIsBare) {
  EXPECT_EQ(result("2*3"), "6");
  EXPECT_EQ(result("2*a + min(a, 1)"), "5");
  EXPECT_EQ(evaluate("2*a", scope())->basis, Value::Basis::bare);
  EXPECT_EQ(result("gap > 1 mm"), "1"); // the truth of a comparison has no unit
  EXPECT_EQ(result("5 * (gap > v[0])"), "5");
  EXPECT_EQ(result("sign(-gap)"), "-1");
}

TEST(Expression, NumbersMayHaveUnits) {
  EXPECT_EQ(result("5 mm"), "0.005 m");
  EXPECT_EQ(result("5mm + 1 m"), "1.005 m");
  EXPECT_EQ(result("20 N s/kg * 2"), "40 m/s");
  EXPECT_EQ(result("9.81 m/s^2 * 2 s"), "19.62 m/s");
  EXPECT_EQ(result("9.81 m/s2 * 2 s"), "19.62 m/s");
  EXPECT_EQ(result("2 m / 4 s"), "0.5 m/s");
  EXPECT_EQ(result("2 m /a"), "1 m"); // a blank: the parameter
  EXPECT_EQ(result("50 % + 0.25"), "0.75 1");
  EXPECT_EQ(result("1e3 mm"), "1 m");
  EXPECT_EQ(result("3 N^(1/2) * 3 N^(1/2)"), "9 N");
  EXPECT_EQ(result("(gap)*(2 mm)"), "1e-05 m2");
  EXPECT_EQ(number("sin(30 deg)"), std::sin(30 * (std::numbers::pi / 180)));
  EXPECT_EQ(number("1 turn"), 2 * std::numbers::pi);
  EXPECT_THAT(refused("2 a").what, HasSubstr("no unit is called 'a'; to multiply write '*'"));
  EXPECT_THAT(refused("2 sin(1)").what, HasSubstr("column 3: unexpected"));
}

TEST(Expression, AParameterThatIsCalledLikeAUnitIsNotMistaken) {
  const MapScope with{{"m", "3"}, {"s", "2 s"}, {"x", "4"}};
  EXPECT_EQ(evaluate("1 m", with)->unit()->text(), "m"); // two names without a sign never were a product
  EXPECT_EQ(evaluate("6 m / s", with)->numbers[0], 3);
  const Result<Value> unclear = evaluate("6 m/s", with);
  ASSERT_FALSE(unclear);
  EXPECT_THAT(unclear.error().what, HasSubstr("'s' in 'm/s' is a unit and a parameter"));
  EXPECT_EQ(evaluate("6 m/x", with)->numbers[0], 1.5); // no unit is called x
  EXPECT_EQ(evaluate("6 m*s", with)->unit()->text(), "m s");
}

TEST(Expression, WhatIsAddedComparedOrChosenBetweenMeasuresTheSame) {
  const Error sum = refused("gap + rig.mass");
  EXPECT_EQ(sum.code, "expression-units");
  EXPECT_EQ(sum.what, "in ${gap + rig.mass}: 'gap' is in m, but 'rig.mass' is in kg");
  EXPECT_EQ(refused("2*gap - 3 s*a").what, "in ${2*gap - 3 s*a}: '2*gap' is in m, but '3 s*a' is in s");
  EXPECT_EQ(refused("gap + 1").what, "in ${gap + 1}: 'gap' is in m, but '1' has no unit");
  EXPECT_EQ(refused("gap + 1").help, "numbers in an expression may have units: write 1 m");
  EXPECT_THAT(refused("gap + a").help, HasSubstr("give its numbers a unit where they are written"));
  for (const char* text :
       {"gap < rig.mass", "gap == 1", "max(gap, 1)", "min(1, 2, gap)", "atan2(gap, rig.mass)", "a > 1 ? gap : rig.mass",
        "a > 1 ? gap : 3", "gap / rig.mass + 1", "sin(gap)", "exp(gap)", "floor(gap)", "round(gap)", "ceil(5 mm)",
        "2^gap", "gap^0.3", "gap^a + 1 m", "5 + 30 deg", "gap^rig.mass"})
    EXPECT_EQ(refused(text).code, "expression-units") << text;
  EXPECT_THAT(refused("floor(gap)").help, HasSubstr("such as 1 m"));
  EXPECT_EQ(number("floor(gap / 2 mm)"), 2);
}

TEST(Expression, ZeroAndInfinityGoWithEveryUnit) {
  EXPECT_EQ(result("gap + 0"), "0.005 m");
  EXPECT_EQ(result("0 + gap"), "0.005 m");
  EXPECT_EQ(result("gap > 0 ? gap : 0"), "0.005 m");
  EXPECT_EQ(result("max(0, -gap)"), "0 m");
  EXPECT_EQ(result("gap < inf"), "1");
  EXPECT_EQ(result("min(inf, gap)"), "0.005 m");
  EXPECT_EQ(result("limit > gap"), "1");
  EXPECT_EQ(result("inf"), "inf");
  EXPECT_EQ(refused("0 m + 1 s").code, "expression-units");
}

TEST(Expression, TemperaturesHaveAZeroOfTheirOwn) {
  EXPECT_EQ(result("20 degC"), "293.15 K");
  EXPECT_EQ(result("-5 degC"), "268.15 K");
  EXPECT_EQ(result("20 degC + 5 K"), "298.15 K");
  EXPECT_EQ(result("5 K + 20 degC"), "298.15 K");
  EXPECT_EQ(result("20 degC - 5 K"), "288.15 K");
  EXPECT_DOUBLE_EQ(number("20 degC - 15 degC"), 5); // a difference: it may be multiplied
  EXPECT_DOUBLE_EQ(number("2 * (20 degC - 15 degC)"), 10);
  EXPECT_EQ(result("max(20 degC, 300 K)"), "300 K");
  EXPECT_EQ(result("20 degC > -5 degC"), "1");
  EXPECT_EQ(result("1 ? 20 degC : 5 degC"), "293.15 K");
  for (const char* wrong :
       {"20 degC + 5 degC", "5 K - 20 degC", "2 * 20 degC", "20 degC / 2", "-(20 degC)", "(20 degC)^2", "sqrt(20 degC)",
        "20 degC > 0", "max(0, 20 degC)", "(20 degC + 1 K) + 5 degC"})
    EXPECT_EQ(refused(wrong).code, "expression-units") << wrong;
  EXPECT_EQ(refused("-300 degC").code, "value-range");
  EXPECT_EQ(refused("20 degC - 300 K").code, "expression-result");
  const MapScope rooms{{"room", "20 degC"}, {"warm", "${room + 5 K}"}};
  EXPECT_EQ(evaluate("warm + 5 degC", rooms).error().code, "expression-units");
  EXPECT_EQ(evaluate("2 * room", rooms).error().code, "expression-units");
  EXPECT_EQ(evaluate("warm - room", rooms)->text, "5 K");
}

TEST(Expression, NoCharacterIsCutInHalf) {
  EXPECT_THAT(refused("a + \xC3\xA9").what, HasSubstr("unexpected '\xC3\xA9'"));
  EXPECT_THAT(refused("\xE2\x88\x92 a").what, HasSubstr("unexpected '\xE2\x88\x92'"));
}

TEST(Expression, RadiansCountAsOne) {
  EXPECT_EQ(result("2 Hz / 1 Hz"), "2 1");
  EXPECT_EQ(result("asin(1)"), "1.5707963267948966 rad");
  EXPECT_EQ(result("atan2(gap, gap)"), "0.7853981633974483 rad");
  EXPECT_EQ(number("sin(90 deg) + cos(0)"), 2);
  EXPECT_EQ(number("1 s + 2 / (1 rad/s)"), 3); // 2 zeta / omega
  EXPECT_EQ(number("sqrt(4 J / 1 kg / 1 m2) + 1 rad/s"), 3);
}

TEST(Expression, TakesElements) {
  EXPECT_EQ(number("v[1]"), 0.002);
  EXPECT_EQ(evaluate("v[1]", scope())->unit()->text(), "m"); // alone, it keeps its unit
  EXPECT_EQ(number("1000 * v[ 2 ] + v[0]"), 3.001);
  EXPECT_EQ(evaluate("v[1]", scope())->text, "0.002 m"); // as text too
  EXPECT_EQ(number("m[0,1]"), 2);
  EXPECT_EQ(number("m[1, 0] * 2"), 6);
  EXPECT_EQ(evaluate("w[1]", scope())->basis, Value::Basis::bare);
  EXPECT_EQ(evaluate("w[0]", scope())->basis, Value::Basis::measured);
  EXPECT_EQ(evaluate("switches[0]", scope())->kind, Value::Kind::boolean);
}

TEST(Expression, ParametersMayBeCalledLikeFunctions) { EXPECT_EQ(number("min(min, 9)"), 7); }

TEST(Expression, NamesWhatIsUnknown) {
  EXPECT_EQ(refused("gpa").what, "no parameter is called 'gpa', in ${gpa}");
  EXPECT_EQ(refused("2*gpa").help, "did you mean 'gap'?");
  EXPECT_EQ(refused("sqr(2)").help, "did you mean 'sqrt'?");
  EXPECT_EQ(refused("frobnicate(2)").code, "expression-name");
  EXPECT_THAT(refused("nothing + 1").help, HasSubstr("<parameter"));
}

TEST(Expression, HandsOnThatTheCauseWasReported) {
  EXPECT_TRUE(refused("broken").already_reported());
  EXPECT_TRUE(refused("1 + broken").already_reported());
}

TEST(Expression, SaysWhereItDoesNotRead) {
  EXPECT_THAT(refused("1 + ").what, HasSubstr("in ${1 +}, column"));
  EXPECT_THAT(refused("(1 + 2").what, HasSubstr("a parenthesis is not closed"));
  EXPECT_THAT(refused("1 $ 2").what, HasSubstr("column 3: unexpected '$'"));
  EXPECT_THAT(refused("a = 5").what, HasSubstr("column 3: unexpected '='"));
  EXPECT_THAT(refused("v[x]").what, HasSubstr("column 3: an index"));
  EXPECT_THAT(refused("v[0] v[0]").what, HasSubstr("${v[0] v[0]}, column"));
  EXPECT_THAT(refused("1, 2").what, HasSubstr("one number is expected"));
  for (const char* text : {"",         " ",     "1 2",   "* 2",     "2 *", ")",   "min(",  "min()",
                           "sin(1,2)", "sin()", "1 ? 2", "a ? : 2", "v[0", "v[]", "v[-1]", "v[99999999999]",
                           "\"text\"", "1;2",   "a#b",   "2a",      "é",   "&",   "1 & 2", "a == = 2",
                           "()",       "sin",   "v.[0]"}) {
    const Result<Value> value = evaluate(text, scope());
    EXPECT_FALSE(value) << text;
    if (!value) { EXPECT_THAT(value.error().code, ::testing::StartsWith("expression-")) << text; }
  }
}

TEST(Expression, CalculatesWithNumbersOnly) {
  EXPECT_THAT(refused("robot * 2").what, HasSubstr("is the text 'kuka'"));
  EXPECT_THAT(refused("v * 2").help, HasSubstr("v[0]"));
  EXPECT_EQ(refused("v[3]").code, "expression-kind");
  EXPECT_EQ(refused("m[0]").code, "expression-kind");
  EXPECT_EQ(refused("m[2,0]").code, "expression-kind");
  EXPECT_EQ(refused("v[0,0]").code, "expression-kind");
  EXPECT_EQ(refused("a[0]").code, "expression-kind");
  EXPECT_EQ(refused("wrong + 1").code, "unit-unknown");
}

TEST(Expression, ResultsAreNumbers) {
  EXPECT_EQ(refused("1/0").code, "expression-result");
  EXPECT_EQ(refused("0/0").code, "expression-result");
  EXPECT_EQ(refused("sqrt(-1)").code, "expression-result");
  EXPECT_EQ(refused("exp(1000)").code, "expression-result");
  EXPECT_EQ(number("2*limit"), INFINITY); // infinity was meant
  EXPECT_EQ(refused("limit - limit").code, "expression-result");
}

TEST(Expression, SurvivesHostileText) {
  EXPECT_EQ(refused(repeated("(", 2000) + "1").code, "expression-malformed");
  EXPECT_EQ(number(repeated("(", 900) + "1" + repeated(")", 900)), 1);
  EXPECT_THAT(refused(repeated("(", 2000) + "1" + repeated(")", 2000)).what, HasSubstr("nests too deeply"));
  EXPECT_EQ(refused(repeated("-", 2000) + "1").code, "expression-malformed");
  EXPECT_EQ(refused(repeated("1", 100000)).code, "expression-malformed");
  std::string chain = "1";
  for (int i = 0; i < 2000; ++i) chain += "+1";
  EXPECT_EQ(number(chain), 2001);
  std::string choices;
  for (int i = 0; i < 500; ++i) choices += "1?2:";
  EXPECT_EQ(number(choices + "3"), 2);
}

TEST(Expression, SurvivesRandomText) {
  const std::vector<std::string> words{"1",  "2.5", "a",    "gap",  "v[0]", "m[1,1]", "+",  "-",  "*", "/",  "^",
                                       "(",  ")",   "sin(", "min(", ",",    "<",      ">=", "==", "!", "?",  ":",
                                       "&&", "||",  "pi",   " ",    "max",  "robot",  "1e", ".",  "v", "!=", "1e5"};
  std::mt19937_64 random(5);
  int read = 0;
  for (int i = 0; i < 30000; ++i) {
    std::string text;
    for (std::size_t length = 1 + random() % 9; length > 0; --length) text += words[random() % words.size()];
    const Result<Value> value = evaluate(text, scope());
    if (value)
      ++read;
    else
      EXPECT_FALSE(value.error().what.empty()) << text;
  }
  EXPECT_GT(read, 1000);
}

TEST(Expression, ListsTheNamesItNeeds) {
  EXPECT_THAT(names_in("b + a*sin(b) + v[0] + pi + rig.mass"), ElementsAre("b", "a", "v", "rig.mass"));
  EXPECT_THAT(names_in("1e5 + 2"), ElementsAre());
  EXPECT_THAT(names_in("a $"), ElementsAre());
}

TEST(Expression, KnowsWhatANameIs) {
  EXPECT_TRUE(is_name("response_delay"));
  EXPECT_TRUE(is_name("rig.k2"));
  EXPECT_FALSE(is_name(""));
  EXPECT_FALSE(is_name("2k"));
  EXPECT_FALSE(is_name("a-b"));
}

TEST(Expression, EvaluatesWhileAParameterIsLookedUp) {
  struct Nested : Scope {
    mutable Value inner;
    Result<const Value*> find(const std::string& name) const override {
      if (name == "deep") {
        Result<Value> value = evaluate("2 + 3*a", scope());
        inner = *value;
        return &inner;
      }
      return scope().find(name);
    }
    std::vector<std::string> names() const override { return {}; }
  };
  EXPECT_EQ(evaluate("a * deep", Nested())->numbers[0], 16);
}

} // namespace
} // namespace hilda::test
