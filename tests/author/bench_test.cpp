// SPDX-License-Identifier: BSD-3-Clause
// The test kit itself: units, values, shapes, and a bench that drives blocks as the engine does.

#include "tests/project_folders.h"

#include <cmath>
#include <gmock/gmock.h>
#include <hilda/testing.h>
#include <numbers>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
namespace kit = hilda::testing;

const kit::Plugin& standard(const std::string& name) {
  static std::map<std::string, kit::Plugin> plugins;
  return plugins.try_emplace(name, build_folder() + "/lib/hilda/plugins/" + name + ".so").first->second;
}

double factor(const char* unit) { return kit::read_unit(unit).value().factor; }
double power(const char* unit, const char* base) { return kit::read_unit(unit).value().powers[base]; }

TEST(UnitText, IsReadFromLeftToRight) {
  EXPECT_DOUBLE_EQ(factor("N/mm"), 1e3);
  EXPECT_DOUBLE_EQ(factor("kN m"), 1e3);
  EXPECT_DOUBLE_EQ(factor("mm2"), 1e-6);
  EXPECT_DOUBLE_EQ(factor("Hz"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(factor("deg/s"), std::numbers::pi / 180);
  EXPECT_EQ(power("N m s2/rad", "s"), 0);
  EXPECT_EQ(power("N m s2/rad", "m"), 2);
  EXPECT_EQ(power("@y/@u/s", "s"), -1);
  EXPECT_EQ(power("@y/@u/s", "@u"), -1);
  EXPECT_EQ(power("@u^(1/2)", "@u"), 0.5);
  EXPECT_EQ(power("@u^2 m", "@u"), 2);
  EXPECT_EQ(power("1/s", "s"), -1);
  EXPECT_EQ(power("", "m"), 0);
  for (const char* wrong : {"furlong", "N/", "@u^(1/", "m^-", "3x", "/"}) EXPECT_FALSE(kit::read_unit(wrong)) << wrong;
}

hilda_slot parameter(hilda_element element, const char* unit, const char* choices = nullptr) {
  hilda_slot slot{};
  slot.role = HILDA_PARAMETER, slot.element = element, slot.unit = unit, slot.choices = choices, slot.name = "p";
  return slot;
}

TEST(ValueText, IsReadAsADiagramWritesIt) {
  const hilda_slot length = parameter(HILDA_F64, "m");
  EXPECT_THAT(kit::read_value(length, "30 mm").numbers, ElementsAre(0.03));
  EXPECT_THAT(kit::read_value(length, "1 -2 inf").numbers, ElementsAre(1, -2, INFINITY));
  const kit::Value matrix = kit::read_value(length, "1 2 3; 4 5 6");
  EXPECT_EQ(matrix.shape, (kit::Shape{2, 3}));
  EXPECT_THAT(matrix.numbers, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(kit::read_value(length, "0 0 1;").shape, (kit::Shape{1, 3}));
  EXPECT_THAT(kit::read_value(parameter(HILDA_F64, "Hz"), "1").numbers, ElementsAre(2 * std::numbers::pi));
  EXPECT_THAT(kit::read_value(parameter(HILDA_U8, ""), "on").numbers, ElementsAre(1));
  EXPECT_THROW(kit::read_value(parameter(HILDA_U8, ""), "no"), kit::Impossible);
  EXPECT_THAT(kit::read_value(parameter(HILDA_CHOICE, "", "a|b|c"), "b").numbers, ElementsAre(1));
  EXPECT_EQ(kit::read_value(parameter(HILDA_TEXT, ""), "2 mm").text, "2 mm");
  EXPECT_THROW(kit::read_value(length, "2 furlongs"), kit::Impossible);
  EXPECT_THROW(kit::read_value(length, "1 2; 3"), kit::Impossible);
  EXPECT_THROW(kit::read_value(parameter(HILDA_CHOICE, "", "a|b"), "c"), kit::Impossible);
}

TEST(Bench, FindsShapesFromParametersAndInputs) {
  kit::Bench gain(standard("math").type("MatrixGain"),
                  {.parameters = {{"gain", kit::Value({2, 3}, {1, 4, 2, 5, 3, 6})}}});
  gain.set("u", {1, 10, 100});
  gain.compute();
  EXPECT_THAT(gain.get("y").numbers, ElementsAre(321, 654));
  kit::Bench sum(standard("math").type("Sum"), {.parameters = {{"signs", "+-+"}}, .shapes = {{"u[0]", {2, 1}}}});
  sum.set("u[0]", {5, 6}), sum.set("u[1]", {1, 2}), sum.set("u[2]", {10, 20});
  sum.compute();
  EXPECT_THAT(sum.get("y").numbers, ElementsAre(14, 24));
}

TEST(Bench, PrimesDelaysAndKeepsTheirRing) {
  kit::Bench delay(standard("discrete").type("Delay"),
                   {.parameters = {{"delay", 0.003}}, .shapes = {{"u", {1, 1}}}, .period = 1e-3});
  std::vector<double> seen;
  for (int k = 0; k < 6; ++k) {
    delay.set("u", k + 1.0);
    delay.step();
    seen.push_back(delay.number("y"));
  }
  EXPECT_EQ(seen[3], 1);
  EXPECT_EQ(seen[5], 3);
}

TEST(Bench, IntegratesContinuousStatesToFourthOrder) {
  // dx/dt = -x: one step of RK4 is the series of exp(-h) up to h^4
  kit::Bench plant(
      standard("continuous").type("TransferFunction"),
      {.parameters = {{"numerator", 1.0}, {"denominator", {1, 1}}}, .shapes = {{"u", {1, 1}}}, .period = 0.1});
  plant.set("u", 1);
  plant.run(10);
  plant.compute();
  EXPECT_NEAR(plant.number("y"), 1 - std::exp(-1.0), 1e-6);
  EXPECT_NE(plant.number("y"), 1 - std::exp(-1.0));
}

TEST(Bench, GoesOnFromACheckpointWithTheSameBits) {
  const kit::Setup setup{.parameters = {{"cutoff", 30.0}}, .shapes = {{"u", {2, 1}}}};
  kit::Bench used(standard("discrete").type("LowPass"), setup), fresh(standard("discrete").type("LowPass"), setup);
  used.set("u", {1, 2}), fresh.set("u", {1, 2});
  used.run(20);
  fresh.restore(used.checkpoint());
  EXPECT_EQ(fresh.tick(), 20);
  used.run(20), fresh.run(20);
  EXPECT_EQ(used.get("y").numbers, fresh.get("y").numbers);
  EXPECT_EQ(used.checkpoint(), fresh.checkpoint());
  EXPECT_THROW(fresh.restore({}), kit::Impossible);
}

TEST(Bench, SaysWhatCannotBeDone) {
  EXPECT_THROW(standard("math").type("Nothing"), kit::Impossible);
  EXPECT_THROW(kit::Plugin("nowhere.so"), kit::Impossible);
  const kit::Type& gain = standard("math").type("Gain");
  EXPECT_THROW(kit::Bench(gain, {.parameters = {{"gane", 2.0}}}), kit::Impossible);
  kit::Bench bench(gain, {.parameters = {{"gain", 2.0}}, .shapes = {{"u", {3, 1}}}});
  EXPECT_THAT([&] { bench.set("u", 1); }, ThrowsMessage<kit::Impossible>(HasSubstr("'u' has the shape 3x1, not 1x1")));
  EXPECT_THROW(bench.set("y", {1, 2, 3}), kit::Impossible);
  EXPECT_THROW(bench.get("z"), kit::Impossible);
}

TEST(Bench, HandsOnTheWordsOfABlockThatRefuses) {
  const kit::Setup crossed{.parameters = {{"lower", 2.0}, {"upper", 1.0}}, .shapes = {{"u", {1, 1}}}};
  EXPECT_THAT([&] { kit::Bench(standard("math").type("Saturation"), crossed); },
              ThrowsMessage<kit::Refused>(HasSubstr("lies above upper")));
}

TEST(Bench, TellsHowABlockEndsTheRun) {
  kit::Bench watch(standard("sinks").type("Assert"), {.shapes = {{"condition", {1, 1}}}});
  watch.set("condition", 1);
  watch.run(3);
  EXPECT_EQ(watch.verdict(), HILDA_GO);
  watch.set("condition", 0);
  watch.run(3);
  EXPECT_EQ(watch.verdict(), HILDA_FAIL);
  EXPECT_EQ(watch.tick(), 4);
  EXPECT_NE(watch.verdict_text(), "");
}

} // namespace
} // namespace hilda::test
