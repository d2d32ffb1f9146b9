// SPDX-License-Identifier: BSD-3-Clause
// Inputs of the diagram itself: what someone outside gives a value, between two ticks.
#include "tests/live/live_diagram.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

DiagramText pushed(const std::string& input) {
  return {"pushed.xml", "<diagram format=\"1\" name=\"pushed\" period=\"1 ms\">\n  " + input + R"(
  <block name="double" type="math/Gain" gain="2"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="push" to="double.u"/>
  <connect from="double.y" to="sum.u"/>
</diagram>)"};
}

TEST(OutsideInput, OfTheDiagramItselfIsAParameterThatMayChangeWhileItRuns) {
  const Live live(pushed(R"(<input name="push" default="5 N" unit="N" doc="Of the hand"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(10);
  EXPECT_EQ(live.number("double.y"), 10);
  EXPECT_EQ(live.tuning->text_of("push"), "5 N");
  EXPECT_EQ(live.set({{"push", "3 N"}}), "");
  live.run_to(20);
  EXPECT_EQ(live.number("double.y"), 6);
  EXPECT_DOUBLE_EQ(live.number("sum.y"), 10e-3 * 10 + 9e-3 * 6);
  EXPECT_THAT(live.set({{"push", "3 m"}}), HasSubstr("error[parameter-units]"));
}

TEST(OutsideInput, TakesAnotherValueWithSet) {
  LoadOptions options;
  options.settings = {"push=7 N"};
  LoadedDiagram loaded(all_plugins().catalogue());
  ASSERT_TRUE(loaded.load(pushed(R"(<input name="push" default="5 N"/>)"), options)) << loaded.diagnostics().text();
  const auto runtime = start_runtime(loaded);
  ASSERT_NE(runtime, nullptr);
  runtime->step();
  EXPECT_EQ(*static_cast<const double*>(runtime->find_signal("double.y")->span.data), 14);
}

TEST(OutsideInput, MayBeAVectorAndHangOnParameters) {
  const Live live(pushed(R"(<parameter name="level" value="2 N"/><input name="push" default="${level} 0 1 N"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(1);
  EXPECT_EQ(live.number("double.y", 0), 4);
  EXPECT_EQ(live.number("double.y", 2), 2);
  EXPECT_EQ(live.set({{"level", "9 N"}}), "");
  live.run_to(2);
  EXPECT_EQ(live.number("double.y", 0), 18);
  EXPECT_THAT(live.set({{"push", "1 N"}}), HasSubstr("error[live-shape]"));
}

TEST(OutsideInput, GivenAtEachTickIsWhereItWasWhenTheRunGoesBack) {
  const DiagramText text = pushed(R"(<input name="push" default="5 N"/>)");
  const Live live(text), straight(text);
  ASSERT_TRUE(live.ok() && straight.ok());
  Timeline timeline(*live.runtime, *live.tuning);
  const auto give = [](const Live& to, std::int64_t tick) {
    EXPECT_EQ(to.set({{"push", decimal(std::sin(0.37 * static_cast<double>(tick))) + " N"}}), "");
    to.run_to(tick + 1);
  };
  for (std::int64_t tick = 0; tick < 600; ++tick) {
    give(live, tick);
    timeline.note();
  }
  for (std::int64_t tick = 0; tick < 400; ++tick) give(straight, tick);
  ASSERT_TRUE(timeline.go_to(400));
  EXPECT_EQ(live.outputs(), straight.outputs());
  for (std::int64_t tick = 400; tick < 500; ++tick) give(live, tick), give(straight, tick);
  EXPECT_EQ(live.outputs(), straight.outputs());
}

TEST(OutsideInput, InASubsystemItIsDrivenAsAnyOther) {
  const auto with = [](const std::string& wires) {
    return DiagramText{"whole.xml", R"(<diagram format="1" name="whole" period="1 ms">
  <block name="hand" type="sources/Constant" value="1 N"/>
  <subsystem name="part"><input name="push" default="5 N"/><output name="y"/>
    <block name="double" type="math/Gain" gain="2"/>
    <connect from="push" to="double.u"/><connect from="double.y" to="y"/>
  </subsystem>)" + wires + "</diagram>"};
  };
  const Live driven(with(R"(<connect from="hand.y" to="part.push"/>)"));
  ASSERT_TRUE(driven.ok()) << driven.diagram.diagnostics().text();
  driven.run_to(1);
  EXPECT_EQ(driven.number("part.double.y"), 2);
  EXPECT_EQ(driven.tuning->text_of("part.push"), std::nullopt);
  EXPECT_THAT(Live(with("")).diagram.diagnostics().text(), HasSubstr("error[undriven-input]"));
}

} // namespace
} // namespace hilda::test
