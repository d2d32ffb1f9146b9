// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/loaded_diagram.h"
#include "engine/run/start.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"
#include "tests/modules.h"
#include "tests/span_number.h"
#include "tests/standard_plugins.h"

#include <gmock/gmock.h>
#include <memory>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A boolean that is true from 3 ms on for 4 ms, every 8 ms, and a clock in ticks.
const std::string gate =
    "<block name=\"p\" type=\"sources/Pulse\" high=\"1\" width=\"4 ms\" repeat=\"8 ms\" first=\"3 ms\"/>\n"
    "<block name=\"g\" type=\"math/Compare\" operation=\"greater\" with=\"0.5\"/>\n" +
    wire("p.y", "g.a") + "<block name=\"now\" type=\"math/Function\" expression=\"round(1000*t)\"/>\n" +
    "<block name=\"zero\" type=\"sources/Constant\" value=\"0\"/>\n" + wire("zero.y", "now.u");

/// Gives what came in, and how often it has run.
std::string counting(const std::string& attributes) {
  return "<subsystem name=\"s\" " + attributes +
         "><input name=\"u\"/><output name=\"y\"/><output name=\"n\"/>\n"
         "<block name=\"same\" type=\"math/Gain\" gain=\"1\"/>\n"
         "<block name=\"count\" type=\"discrete/DiscreteIntegrator\" method=\"forward\"/>\n"
         "<block name=\"rate\" type=\"sources/Constant\" value=\"1000 1/s\"/>\n" +
         wire("u", "same.u") + wire("same.y", "y") + wire("rate.y", "count.u") + wire("count.y", "n") +
         "</subsystem>\n";
}

bool is_edge(const Trial& trial, std::size_t tick, const std::string& edge) {
  if (tick == 0) return false;
  const bool before = trial["g.y"].at(tick - 1) != 0, now = trial["g.y"].at(tick) != 0;
  return before != now && (edge == "either" || now == (edge == "rising"));
}

TEST(Trigger, RunsAtTheEdgesThatItNames) {
  for (const std::string edge : {"rising", "falling", "either"}) {
    const Trial trial = sound_trial(gate + counting("trigger=\"g.y\" edge=\"" + edge + "\"") + wire("now.y", "s.u"));
    double held = 0;
    int edges = 0;
    for (std::size_t tick = 0; tick < 100; ++tick) {
      if (is_edge(trial, tick, edge)) held = static_cast<double>(tick), ++edges;
      EXPECT_EQ(trial["s.same.y"].at(tick), held) << edge << " " << tick;
    }
    EXPECT_EQ(edges, edge == "either" ? 25 : edge == "rising" ? 13 : 12);
  }
}

TEST(Trigger, StepsStatesAtEdgesAlone) {
  const Trial trial = sound_trial(gate + counting("trigger=\"g.y\"") + wire("now.y", "s.u"));
  double count = 0;
  for (std::size_t tick = 0; tick < 100; ++tick) {
    const double before = tick == 0 ? 0 : trial["s.count.y"].at(tick - 1);
    if (is_edge(trial, tick, "rising"))
      EXPECT_EQ(trial["s.count.y"].at(tick), count++) << tick;
    else
      EXPECT_EQ(trial["s.count.y"].at(tick), before) << tick;
  }
  EXPECT_EQ(count, 13);
}

TEST(Trigger, AWireStraightThroughIsNotHeld) {
  const Trial trial = sound_trial(gate +
                                  "<subsystem name=\"s\" trigger=\"g.y\"><input name=\"u\"/><output name=\"through\"/>"
                                  "<output name=\"held\"/><block name=\"same\" type=\"math/Gain\" gain=\"1\"/>" +
                                  wire("u", "through") + wire("u", "same.u") + wire("same.y", "held") +
                                  "</subsystem>\n<block name=\"after\" type=\"math/Gain\" gain=\"1\"/>\n" +
                                  wire("now.y", "s.u") + wire("s.through", "after.u"));
  int held = 0;
  for (std::size_t tick = 0; tick < 100; ++tick) {
    EXPECT_EQ(trial["after.y"].at(tick), static_cast<double>(tick));
    if (trial["s.same.y"].at(tick) != static_cast<double>(tick)) ++held;
  }
  EXPECT_GT(held, 50);
}

TEST(Trigger, IsNoEdgeAtTheStart) {
  const Trial trial = sound_trial("<block name=\"g\" type=\"sources/BooleanConstant\" value=\"true\"/>\n"
                                  "<block name=\"now\" type=\"sources/Constant\" value=\"7\"/>\n" +
                                  counting("trigger=\"g.y\" edge=\"either\"") + wire("now.y", "s.u"));
  for (std::size_t tick = 0; tick < 100; ++tick) EXPECT_EQ(trial["s.same.y"].at(tick), 0);
}

TEST(Trigger, StandsWithinAnEnabledSubsystem) {
  const Trial trial = sound_trial(
      gate + "<block name=\"e\" type=\"math/Compare\" operation=\"greater\" with=\"50\"/>\n" + wire("now.y", "e.a") +
      "<subsystem name=\"out\" enable=\"e.y\"><input name=\"u\"/><input name=\"go\"/>\n" + counting("trigger=\"go\"") +
      wire("u", "s.u") + "</subsystem>\n" + wire("now.y", "out.u") + wire("g.y", "out.go"));
  double held = 0;
  for (std::size_t tick = 0; tick < 100; ++tick) {
    if (tick > 50 && is_edge(trial, tick, "rising")) held = static_cast<double>(tick);
    EXPECT_EQ(trial["out.s.same.y"].at(tick), held) << tick;
  }
}

TEST(Trigger, SamplesWhatIsContinuousOutside) {
  // a Gain that a continuous block drives is continuous elsewhere, and here sampled
  const Trial trial = sound_trial(gate +
                                  "<block name=\"ramp\" type=\"continuous/Integrator\"/>\n"
                                  "<block name=\"one\" type=\"sources/Constant\" value=\"1 1/s\"/>\n" +
                                  wire("one.y", "ramp.u") + counting("trigger=\"g.y\"") + wire("ramp.y", "s.u"));
  double held = 0;
  for (std::size_t tick = 0; tick < 100; ++tick) {
    if (is_edge(trial, tick, "rising")) held = 1e-3 * static_cast<double>(tick);
    EXPECT_NEAR(trial["s.same.y"].at(tick), held, 1e-14) << tick;
  }
}

/// y = gain * u + index, and its sum over time.
std::string each(const std::string& attributes, const std::string& inside = "") {
  return "<subsystem name=\"axis\" " + attributes +
         "><parameter name=\"gain\" value=\"2\"/><parameter name=\"index\"/>\n"
         "<input name=\"u\"/><output name=\"y\"/><output name=\"past\"/>\n"
         "<block name=\"scale\" type=\"math/Gain\" gain=\"${gain}\"/><block name=\"more\" type=\"math/Bias\" "
         "bias=\"${index}\"/><block name=\"late\" type=\"discrete/UnitDelay\"/>\n" +
         wire("u", "scale.u") + wire("scale.y", "more.u") + wire("more.y", "y") + wire("more.y", "late.u") +
         wire("late.y", "past") + inside + "</subsystem>\n";
}
const std::string three = "<block name=\"c\" type=\"sources/Constant\" value=\"5 7 9\"/>\n" + wire("c.y", "axis.u") +
                          "<block name=\"end\" type=\"math/Gain\" gain=\"1\"/>\n" + wire("axis.y", "end.u") +
                          "<block name=\"end_past\" type=\"math/Gain\" gain=\"1\"/>\n" +
                          wire("axis.past", "end_past.u");

TEST(ForEach, IsThereForEachElement) {
  const Trial trial = sound_trial(each("for_each=\"3\"") + three);
  EXPECT_THAT(trial["end.y"].row(0), ElementsAre(10, 15, 20));
  EXPECT_THAT(trial["end_past.y"].row(0), ElementsAre(0, 0, 0));
  EXPECT_THAT(trial["end_past.y"].row(1), ElementsAre(10, 15, 20));
  EXPECT_EQ(trial["axis.each2.scale.y"].at(0), 18);
}

TEST(ForEach, GivesEachItsNumberAndAllTheParameters) {
  const Trial trial =
      sound_trial("<parameter name=\"n\" value=\"3\"/>" + each("for_each=\"${n}\" gain=\"-1\"") + three);
  EXPECT_THAT(trial["end.y"].row(0), ElementsAre(-5, -6, -7));
  EXPECT_THAT(sound_trial(each("for_each=\"3\" index=\"100\"") + three)["end.y"].row(0), ElementsAre(110, 114, 118));
}

LoadOptions with_settings(std::vector<std::string> settings) {
  LoadOptions options;
  options.settings = std::move(settings);
  return options;
}

TEST(ForEach, TakesSettingsForOneAlone) {
  const Catalogue& blocks = standard_plugins({"math", "discrete", "routing", "sources"}).catalogue();
  LoadedDiagram diagram(blocks,
                        DiagramText{"each.xml", "<diagram format=\"1\" name=\"each\" period=\"1 ms\">\n" +
                                                    each("for_each=\"3\"") + three + "</diagram>\n"},
                        with_settings({"axis.gain=3", "axis.each1.gain=4"}));
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram, {});
  ASSERT_TRUE(runtime) << diagram.diagnostics().text();
  runtime->compute();
  for (const SystemSignal& signal : runtime->signals()) {
    if (signal.path != "end.y") continue;
    EXPECT_EQ(number_at(signal.span, 0), 15);
    EXPECT_EQ(number_at(signal.span, 1), 29);
    EXPECT_EQ(number_at(signal.span, 2), 29);
  }
}

TEST(ForEach, OfOneElementIsTheSubsystemItself) {
  const Trial trial = sound_trial(
      each("for_each=\"1\"") + "<block name=\"c\" type=\"sources/Constant\" value=\"5\"/>\n" + wire("c.y", "axis.u"));
  EXPECT_EQ(trial["axis.each0.more.y"].at(0), 10);
}

TEST(ForEach, StandsWithinAnother) {
  const Trial trial =
      sound_trial("<block name=\"c\" type=\"sources/Constant\" value=\"5 7\"/>\n"
                  "<subsystem name=\"pair\" for_each=\"2\"><input name=\"u\"/><output name=\"y\"/>\n"
                  "<block name=\"double\" type=\"routing/Mux\" inputs=\"2\"/>\n" +
                  wire("u", "double.u[0]") + wire("u", "double.u[1]") + each("for_each=\"2\"") +
                  wire("double.y", "axis.u") + "<block name=\"all\" type=\"math/SumElements\"/>\n" +
                  wire("axis.y", "all.u") + wire("all.y", "y") + "</subsystem>\n" + wire("c.y", "pair.u") +
                  "<block name=\"end\" type=\"math/Gain\" gain=\"1\"/>\n" + wire("pair.y", "end.u"));
  EXPECT_THAT(trial["end.y"].row(0), ElementsAre(2 * 10 + 1, 2 * 14 + 1));
  EXPECT_EQ(trial["pair.each1.axis.each1.more.y"].at(0), 15);
}

TEST(ForEach, RunsAtATriggerOfAll) {
  const Trial trial = sound_trial(gate + each("for_each=\"3\" trigger=\"g.y\"") + three);
  EXPECT_THAT(trial["end.y"].row(2), ElementsAre(0, 0, 0));
  EXPECT_THAT(trial["end.y"].row(3), ElementsAre(10, 15, 20));
  EXPECT_THAT(trial["end_past.y"].row(10), ElementsAre(0, 0, 0));
  EXPECT_THAT(trial["end_past.y"].row(11), ElementsAre(10, 15, 20));
}

/// What messages print as its unit is what a port may promise.
TEST(Subsystems, PromiseATorqueInNm) {
  const auto errors = [](const std::string& unit, const std::string& value) {
    return run_trial("<parameter name=\"power\" value=\"10 W\"/><parameter name=\"speed\" value=\"5 rad/s\"/>"
                     "<block name=\"c\" type=\"sources/Constant\" value=\"" +
                     value +
                     "\"/>"
                     "<subsystem name=\"s\"><input name=\"u\" unit=\"" +
                     unit +
                     "\"/><output name=\"y\"/>"
                     "<block name=\"g\" type=\"math/Gain\" gain=\"1\"/>" +
                     wire("u", "g.u") + wire("g.y", "y") + "</subsystem>" + wire("c.y", "s.u"))
        .errors;
  };
  EXPECT_EQ(errors("N m", "${power/speed}"), "");
  EXPECT_EQ(errors("N m/rad", "${power/speed}"), "");
  EXPECT_THAT(errors("J", "${power/speed}"), testing::HasSubstr("promises the unit 'J', but carries N m"));
  EXPECT_EQ(errors("J", "1 J"), "");
  EXPECT_EQ(errors("W", "${power}"), "");
  EXPECT_EQ(errors("W/s", "${power/(1 s)}"), "");
  EXPECT_THAT(errors("N m", "1 J"), testing::HasSubstr("a torque is not an energy: promise J"));
}

} // namespace
} // namespace hilda::test
