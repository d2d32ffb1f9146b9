// SPDX-License-Identifier: BSD-3-Clause
// What `${}` brings into a value.
#include "tests/engine/value_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ValueKind = Value::Kind;
using Basis = Value::Basis;

TEST(ReadValue, ABareNameHandsOnAnyValue) {
  EXPECT_EQ(read("${speed}").unit_text(), "mm/s");
  EXPECT_THAT(read(" ${ speed } ").numbers, ElementsAre(0.05));
  EXPECT_EQ(read("${robot}").text, "kuka");
  EXPECT_EQ(read("${fast}").kind, ValueKind::boolean);
  EXPECT_EQ(read("${gains}").extent, Extent::matrix(2, 2));
  EXPECT_EQ(read("${count}").basis, Basis::bare);
}

TEST(ReadValue, ElementsMayBeExpressions) {
  const Value velocity = read("${speed} 0 0");
  EXPECT_EQ(velocity.extent, Extent::vector(3));
  EXPECT_EQ(velocity.unit()->text(), "m/s");
  EXPECT_THAT(velocity.bases(), ElementsAre(Basis::measured, Basis::bare, Basis::bare));
  EXPECT_THAT(fitted("${speed} 0 20", real("mm/s", Extent::vector(3))), ElementsAre(0.05, 0, 0.02));
  EXPECT_THAT(fitted("${2*speed} 1 0", real("mm/s", Extent::vector(3))), ElementsAre(0.1, 0.001, 0));
  EXPECT_THAT(fitted("${2*speed} ${speed} 1 mm/s", real("m/s", Extent::vector(3))), ElementsAre(0.1, 0.05, 0.001));
  EXPECT_EQ(misfit("${2*speed} ${gap}", real("m", Extent::vector(2))).code, "unit-mismatch");
  EXPECT_THAT(read("${gap} 1 -${gap} mm").kind, ValueKind::text);
  EXPECT_THAT(read("${gap} 1 ${-gap}").numbers, ElementsAre(0.005, 1, -0.005));
  EXPECT_THAT(read("${gap} 0; 0 ${gap}").numbers, ElementsAre(0.005, 0, 0, 0.005));
}

TEST(ReadValue, AUnitAppliesToBareNumbersOnly) {
  EXPECT_THAT(read("${count} mm").numbers, ElementsAre(0.003));
  EXPECT_THAT(read("${2*count}mm").numbers, ElementsAre(0.006));
  EXPECT_THAT(read("${gap} 1 mm").numbers, ElementsAre(0.005, 0.001));
  EXPECT_THAT(read("${2*gap} mm").numbers, ElementsAre(0.01)); // has a unit: the one behind it is compared
  EXPECT_EQ(read("${2*gap} s").problem()->code, "unit-mismatch");
  EXPECT_EQ(read("${speed} 1 mm").problem()->code, "unit-mismatch");
  EXPECT_EQ(read("${speed} ${gap}").problem()->code, "unit-mismatch");
}

TEST(ReadValue, TextTakesScalarsAndText) {
  EXPECT_EQ(read("rigs/${robot}.xml").text, "rigs/kuka.xml");
  EXPECT_EQ(read("run_${count}_${robot}").text, "run_3_kuka");
  EXPECT_EQ(read("${count}${count}").text, "33");
  EXPECT_EQ(read("log_${2*count}").text, "log_6");
  EXPECT_THAT(read("5 ${unit}").numbers, ElementsAre(0.005)); // read as if it were written there
  EXPECT_EQ(refusal("x${axis}").code, "expression-kind");
}

/// The result of `${}` is a complete number, and not digits or signs for the text next to it.
TEST(ReadValue, NumbersAreNotGluedTogether) {
  for (const char* text : {"-${gap}", "${count}${count}", "1${count}", "${count}5", "1e${count}", "${count}.5",
                           "+${count}", "-${2*count}", "0.${count} mm", "1 -${gap}", "1 2${count}"}) {
    if (read(text).kind == ValueKind::number) ADD_FAILURE() << text << " reads as " << read(text).numbers[0];
    EXPECT_EQ(read(text).problem().value_or(Error{}).code, "value-number") << text;
    EXPECT_EQ(misfit(text, real("mm")).code, "value-number") << text;
  }
  EXPECT_THAT(read("-${gap}").problem()->help, HasSubstr("within the braces"));
  EXPECT_EQ(read("run${count}${count}").text, "run33"); // texts may be put together
  EXPECT_EQ(read("${count}x").kind, ValueKind::text);
}

TEST(ReadValue, ComplainsAboutExpressions) {
  EXPECT_EQ(refusal("${").code, "expression-malformed");
  EXPECT_EQ(refusal("5 ${gap mm").code, "expression-malformed");
  EXPECT_EQ(refusal("${gpa}").help, "did you mean 'gap'?");
  EXPECT_EQ(refusal("a ${gpa}").code, "expression-name");
  EXPECT_TRUE(refusal("${broken}").already_reported());
  EXPECT_TRUE(refusal("1 ${2*broken}").already_reported());
}

/// As a slot for an expression takes it: constants, so that "${a}^2" of -5 is 25.
TEST(ReadValue, ATextForAnExpressionHasNamedConstants) {
  const MapScope with{
      {"a", "-5"}, {"mass", "1 kg"}, {"law", "${a}*u"}, {"outer", "${law} + ${mass}"}, {"plain", "u+v"}};
  const auto constants = [&](const std::string& text) {
    std::string all = read_value(text, with)->with_constants();
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
  EXPECT_EQ(read("5 mm").with_constants(), "");
}

/// Two parameters of one name in two scopes stay two.
TEST(ReadValue, ConstantsOfAnotherScopeKeepTheirValue) {
  const MapScope around{{"a", "2"}, {"law", "${a}*u"}};
  struct Inside : Scope {
    const MapScope& around;
    Value own = Value::bare(7);
    explicit Inside(const MapScope& a) : around(a) {}
    Result<const Value*> find(const std::string& name) const override {
      return name == "a" ? Result<const Value*>(&own) : around.find(name);
    }
    std::vector<std::string> names() const override { return {}; }
  };
  EXPECT_EQ(read_value("${a} + ${law}", Inside(around))->with_constants(), "${a} + (${0}*u)\x1f${0}=2\x1f${a}=7");
}

TEST(ReadValue, ManyConstantsTakeNoTime) {
  const MapScope with{{"a", "-5"}};
  std::string text = "u";
  for (int i = 0; i < 60000; ++i) text += "+${2*a}";
  EXPECT_GT(read_value(text, with)->with_constants().size(), text.size());
}

TEST(References, NamesTheParametersInOrder) {
  EXPECT_THAT(references("${a} ${b*a} ${sin(c)+pi} d"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(references("5 mm"), ElementsAre());
  EXPECT_THAT(references("${rig.mass} ${"), ElementsAre("rig.mass"));
}

} // namespace
} // namespace hilda::test
