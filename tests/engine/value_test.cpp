// SPDX-License-Identifier: BSD-3-Clause
// What a text says: a number with its unit, a list, a word.
#include "tests/engine/repeated.h"
#include "tests/engine/value_text.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <locale>
#include <numbers>
#include <random>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ValueKind = Value::Kind;
using Basis = Value::Basis;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Why the text is not a number.
Error problem(const std::string& text) {
  const Value value = read(text);
  EXPECT_EQ(value.kind, ValueKind::text) << text;
  EXPECT_EQ(value.text, text);
  EXPECT_TRUE(value.problem()) << text;
  return value.problem().value_or(Error{});
}

TEST(ReadValue, ANumberWithAUnitIsConvertedAtOnce) {
  const Value stiffness = read("176.275 N/mm");
  EXPECT_EQ(stiffness.kind, ValueKind::number);
  EXPECT_EQ(stiffness.basis, Basis::measured);
  EXPECT_THAT(stiffness.numbers, ElementsAre(176275.0));
  EXPECT_EQ(stiffness.unit()->text(), "N/m");
  EXPECT_EQ(stiffness.unit_text(), "N/mm");
  EXPECT_EQ(stiffness.text, "176.275 N/mm");
}

TEST(ReadValue, TheUnitMayFollowWithoutABlank) {
  EXPECT_THAT(read("4ms").numbers, ElementsAre(0.004));
  EXPECT_THAT(read("50%").numbers, ElementsAre(0.5));
  EXPECT_THAT(read("1 2mm").numbers, ElementsAre(0.001, 0.002));
  EXPECT_THAT(read("90°").numbers, ElementsAre(::testing::DoubleEq(std::numbers::pi / 2)));
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
  EXPECT_EQ(read("on").kind, ValueKind::boolean);
  EXPECT_THAT(read("on off true").numbers, ElementsAre(1, 0, 1));
  EXPECT_EQ(read("True").kind, ValueKind::text);
  EXPECT_EQ(read("on 1").kind, ValueKind::text);
}

TEST(ReadValue, AnythingElseIsText) {
  for (const char* text : {"", "  ", "work", "rigs/two_walls.xml", "nan", "NaN", "info", "a b c", "N/mm", "e5"}) {
    EXPECT_EQ(read(text).kind, ValueKind::text) << text;
    EXPECT_EQ(read(text).text, text);
    EXPECT_FALSE(read(text).problem()) << text;
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
  EXPECT_EQ(read(repeated("a", 100000)).kind, ValueKind::text);
  EXPECT_EQ(problem(repeated("9", 100000)).code, "value-range");
  EXPECT_EQ(problem("1 " + repeated("m", 100000)).code, "unit-malformed");
  EXPECT_THAT(read("0." + repeated("0", 100000)).numbers, ElementsAre(0));
  EXPECT_EQ(problem(repeated("-", 100000)).code, "value-number");
  EXPECT_EQ(read(repeated(";", 100000)).kind, ValueKind::text);
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
    const Result<Value> value = read_value(text, scope());
    if (!value) {
      EXPECT_FALSE(value.error().code.empty()) << text;
      EXPECT_FALSE(value.error().help.empty()) << text;
      continue;
    }
    const auto size = static_cast<std::size_t>(value->extent.rows * value->extent.cols);
    EXPECT_EQ(value->numbers.size(), value->kind == ValueKind::text ? 0 : size) << text;
    for (const double number : value->numbers) EXPECT_FALSE(std::isnan(number)) << text;
    const Result<Shaped> shaped = fit(*value, real("mm", Extent::vector(2)));
    if (!shaped) { EXPECT_FALSE(shaped.error().help.empty()) << text; }
  }
}

} // namespace
} // namespace hilda::test
