// SPDX-License-Identifier: BSD-3-Clause
// A simulation that continues in another runtime: a parameter that is taken while the loop is paused, an edited
// diagram.
#include "engine/session/live_simulation.h"
#include "tests/folder.h"
#include "tests/live/live_diagram.h"
#include "tests/modules.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

std::string text_with(const std::string& period, const std::string& more) {
  return "<diagram format=\"1\" name=\"sum\" period=\"" + period + "\">\n" +
         R"(  <block name="one" type="sources/Constant" value="1"/>
  <block name="tuned" type="tunable/Tunable"/>
  <block name="line" type="discrete/Delay" delay="6 ms"/>
  <connect from="one.y" to="tuned.u"/>
  <connect from="tuned.y" to="line.u"/>
)" + more +
         "</diagram>\n";
}

/// A simulation whose diagram may be replaced by another text.
struct Session {
  explicit Session(std::string first) : text(std::move(first)) {
    Diagnostics diagnostics;
    BuiltDiagram built = build({}, diagnostics);
    EXPECT_NE(built.runtime, nullptr) << diagnostics.text();
    LiveSimulation::Hooks hooks;
    hooks.build = [this](const auto& settings, Diagnostics& found) { return build(settings, found); };
    hooks.adopted = [this] { ++adopted; };
    hooks.next_log = [this](const Runtime&, const auto&, const SimulationResult&) { return ++logs, nullptr; };
    simulation = std::make_unique<LiveSimulation>(std::move(built), nullptr, 10.0, nullptr, std::move(hooks));
  }

  BuiltDiagram build(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics) {
    const Host& host = standard_plugins({"math", "sources", "discrete", "tests/live/plugins/tunable.so"});
    loaded.push_back(std::make_unique<LoadedDiagram>(host.catalogue()));
    LoadOptions options;
    for (const LiveSetting& each : settings) options.settings.push_back(each.path + "=" + each.text);
    loaded.back()->load(DiagramText{"sum.xml", text}, options);
    std::unique_ptr<Runtime> made = start_runtime(*loaded.back());
    diagnostics.take(loaded.back()->diagnostics(), false);
    return {std::move(made), loaded.back()->timed()};
  }

  void run_to(std::int64_t tick) {
    Diagnostics diagnostics;
    simulation->run_to(tick, diagnostics);
    EXPECT_EQ(diagnostics.text(), "");
    EXPECT_EQ(simulation->tick(), tick);
  }
  std::string set(const std::vector<LiveSetting>& settings) {
    Diagnostics diagnostics;
    anew.clear();
    return simulation->set(settings, diagnostics, anew) ? "" : diagnostics.text();
  }
  std::string reload(const std::string& other) {
    text = other;
    Diagnostics diagnostics;
    anew.clear();
    return simulation->reload(diagnostics, anew) ? "" : diagnostics.text();
  }
  double number(const std::string& signal) const {
    const SystemSignal* found = simulation->runtime().find_signal(signal);
    EXPECT_NE(found, nullptr) << signal;
    return found != nullptr ? *static_cast<const double*>(found->span.data) : -1;
  }

  std::string text;
  std::vector<std::unique_ptr<LoadedDiagram>> loaded; ///< outlives the runtimes
  std::unique_ptr<LiveSimulation> simulation;
  std::vector<std::string> anew;
  int logs = 0, adopted = 0;
};

const std::string plain = text_with("1 ms", "");

TEST(LiveSimulation, AParameterForAStandingLoopBuildsTheDiagramAnewAndKeepsItsStates) {
  Session session(plain);
  session.run_to(100);
  EXPECT_EQ(session.number("tuned.y"), 99);
  EXPECT_EQ(session.set({{"tuned.step", "2"}}), "");
  EXPECT_EQ(session.set({{"tuned.stages", "10"}}), "");
  EXPECT_THAT(session.anew, testing::IsEmpty());
  EXPECT_EQ(session.logs, 1);
  EXPECT_EQ(session.simulation->tick(), 100);
  session.run_to(101);
  EXPECT_EQ(session.number("tuned.y"), 1000) << "the state of before, times the new factor";
  EXPECT_EQ(session.number("line.y"), 94) << "the delay line is kept";
  session.run_to(102);
  EXPECT_EQ(session.number("tuned.y"), 1020) << "and the step that was set before";
  EXPECT_NE(session.simulation->not_repeatable(), "");
  EXPECT_EQ(session.simulation->back_to(101), "");
  session.run_to(102);
  EXPECT_EQ(session.number("tuned.y"), 1020);
  EXPECT_NE(session.simulation->back_to(99), "") << "the past begins where the diagram was built";
}

TEST(LiveSimulation, AnEditedDiagramKeepsWhatAgreesAndTellsWhatDoesNot) {
  Session session(plain);
  session.run_to(50);
  EXPECT_EQ(session.set({{"one.value", "3"}}), "");
  session.run_to(60);
  const double before = session.number("tuned.y");
  std::string edited = text_with("1 ms", R"(  <block name="later" type="discrete/Delay" delay="2 ms"/>
  <connect from="one.y" to="later.u"/>
  <connect from="one.y" to="later.fill"/>
)");
  edited.replace(edited.find("delay=\"6 ms\""), 12, "delay=\"8 ms\"");
  EXPECT_EQ(session.reload(edited), "");
  EXPECT_THAT(session.anew, testing::UnorderedElementsAre("line.line: another shape",
                                                          "later: it was not there, or is of another type"));
  session.run_to(61);
  EXPECT_EQ(session.number("tuned.y"), before + 3) << "live value and state are kept";
  EXPECT_EQ(session.number("later.y"), 3) << "a block that starts anew reads what primes it";
  // the other way round: a removed value takes no other with it
  EXPECT_THAT(session.set({{"later.initial", "1"}}), testing::HasSubstr("error[live-fixed]"));
  EXPECT_EQ(session.reload(plain), "");
  session.run_to(62);
  EXPECT_EQ(session.number("tuned.y"), before + 6);
}

/// A chart with these states, each for 5 ms but the last.
std::string chart(const std::string& period, const std::vector<std::string>& states) {
  std::string text = R"(<diagram format="1" name="sum" period=")" + period + R"(">
  <block name="c" type="math/Chart"><output name="y"/>
)";
  for (std::size_t i = 0; i < states.size(); ++i)
    text += "    <state name=\"" + states[i] + "\" entry=\"y = " + std::to_string(i + 1) + "\"" +
            (i == 0 ? " start=\"true\"" : "") + "/>\n";
  for (std::size_t i = 0; i + 1 < states.size(); ++i)
    text += "    <transition from=\"" + states[i] + "\" to=\"" + states[i + 1] + "\" when=\"after(5 ms)\"/>\n";
  return text + "  </block>\n</diagram>\n";
}

TEST(LiveSimulation, AChartWhoseStatesAreOthersBeginsAnewAndSaysSo) {
  const std::string anew = "c: its states are others, or another sample time counts in them";
  for (const std::vector<std::string>& others :
       {std::vector<std::string>{"only"}, {"a", "b"}, {"c", "b", "a"}, {"a", "b", "d"}}) {
    Session session(chart("1 ms", {"a", "b", "c"}));
    session.run_to(20);
    EXPECT_EQ(session.number("c.y"), 3);
    EXPECT_EQ(session.reload(chart("1 ms", others)), "");
    EXPECT_THAT(session.anew, testing::ElementsAre(anew));
    session.run_to(22);
    EXPECT_EQ(session.number("c.y"), 1);
  }
}

TEST(LiveSimulation, AChartGoesOnWhereItsStatesAreTheSame) {
  Session session(chart("1 ms", {"a", "b", "c"}));
  session.run_to(8);
  EXPECT_EQ(session.number("c.y"), 2);
  std::string edited = chart("1 ms", {"a", "b", "c"});
  edited.replace(edited.find("y = 3"), 5, "y = 7");
  EXPECT_EQ(session.reload(edited), "");
  EXPECT_THAT(session.anew, testing::IsEmpty());
  session.run_to(20);
  EXPECT_EQ(session.number("c.y"), 7);
}

TEST(LiveSimulation, AChartThatCountsOtherSamplesBeginsAnew) {
  Session session(chart("500 us", {"a", "b", "c"}));
  session.run_to(16);
  EXPECT_EQ(session.number("c.y"), 2);
  EXPECT_EQ(session.reload(chart("1 ms", {"a", "b", "c"})), "");
  EXPECT_EQ(session.anew.size(), 1u);
  session.run_to(8 + 4);
  EXPECT_EQ(session.number("c.y"), 1) << "5 ms have not passed since it began anew";
  session.run_to(8 + 7);
  EXPECT_EQ(session.number("c.y"), 2);
}

TEST(LiveSimulation, WhatWasSetBeforeAReloadStaysWhereTheRunGoesBackToIt) {
  Session session(plain);
  session.run_to(50);
  EXPECT_EQ(session.set({{"one.value", "3"}}), "");
  session.run_to(60);
  EXPECT_EQ(session.reload(plain), "");
  session.run_to(70);
  EXPECT_EQ(session.simulation->back_to(60), "");
  session.run_to(62);
  EXPECT_EQ(session.number("one.y"), 3);
  EXPECT_EQ(session.simulation->tuning().text_of("one.value"), "3");
}

TEST(LiveSimulation, OfARequestThatIsGoneInPartTheRestIsSetAgain) {
  Session session(plain);
  session.run_to(10);
  EXPECT_EQ(session.set({{"one.value", "3"}, {"tuned.step", "2"}}), "");
  session.run_to(20);
  std::string edited = plain;
  edited.replace(edited.find("tunable/Tunable"), 15, "math/Gain\" gain=\"5");
  EXPECT_EQ(session.reload(edited), "");
  EXPECT_THAT(session.anew, testing::Contains("tuned.step: its value is the file's"));
  session.run_to(21);
  EXPECT_EQ(session.number("tuned.y"), 15);
}

TEST(LiveSimulation, AnotherTickGoesOnWhereBothHaveOne) {
  Session session(plain);
  session.run_to(3);
  EXPECT_THAT(session.reload(text_with("2 ms", "")), testing::HasSubstr("error[live-tick]: the run is at 0.003 s"));
  EXPECT_EQ(session.adopted, 0) << "the next log is still one of the diagram before";
  session.text = plain;
  session.run_to(4);
  EXPECT_EQ(session.reload(text_with("2 ms", "")), "");
  EXPECT_EQ(session.adopted, 1);
  EXPECT_EQ(session.simulation->tick(), 2);
  EXPECT_EQ(session.simulation->time(), 0.004);
}

TEST(LiveSimulation, AnEditWithErrorsChangesNothing) {
  Session session(plain);
  session.run_to(10);
  EXPECT_THAT(session.reload(text_with("1 ms", "<block/>")), testing::HasSubstr("error["));
  EXPECT_EQ(session.logs, 0);
  session.run_to(11);
  EXPECT_EQ(session.number("tuned.y"), 10);
}

TEST(LiveSimulation, BeginsAgainAndGoesOnBeyondItsTime) {
  Session session(plain);
  session.run_to(10000);
  EXPECT_EQ(session.simulation->last(), 10000);
  session.simulation->go_on_as_long_again();
  EXPECT_EQ(session.simulation->last(), 20000);
  EXPECT_EQ(session.set({{"one.value", "3"}}), "");
  session.run_to(10010);
  EXPECT_EQ(session.number("tuned.y"), 9999 + 1 + 3 * 9);
  Diagnostics diagnostics;
  EXPECT_TRUE(session.simulation->restart(diagnostics)) << diagnostics.text();
  EXPECT_EQ(session.logs, 1);
  EXPECT_EQ(session.simulation->tick(), 0);
  EXPECT_EQ(session.simulation->last(), 10000);
  EXPECT_TRUE(session.simulation->asked().empty());
  session.run_to(10);
  EXPECT_EQ(session.number("tuned.y"), 9);
}

TEST(LiveSimulation, WhatAStandingLoopTakesHasNoTime) {
  const Folder folder;
  folder.write("paused.xml",
               "<overlay format=\"1\">\n<set path=\"tuned.stages\" value=\"2\" at=\"1 s\"/>\n</overlay>\n");
  const Host& host = standard_plugins({"math", "sources", "discrete", "tests/live/plugins/tunable.so"});
  LoadOptions options;
  options.overlays = {folder.path("paused.xml")};
  LoadedDiagram loaded(host.catalogue());
  loaded.take_times();
  EXPECT_FALSE(loaded.load(DiagramText{"sum.xml", plain}, options));
  EXPECT_THAT(loaded.diagnostics().text(), testing::HasSubstr("paused.xml:2: error[setting-paused]"));
}

} // namespace
} // namespace hilda::test
