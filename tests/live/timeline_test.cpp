// SPDX-License-Identifier: BSD-3-Clause
// Back to any tick: everything is as it was, to the bit, and the run continues as it did.
#include "engine/run/detail/solve/cvode/cvode.h"
#include "engine/session/solver_report.h"
#include "tests/live/live_diagram.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <nlohmann/json.hpp>
#include <random>

namespace hilda::test {
namespace {

const std::string pida = source_folder() + "/diagrams/pida.xml";

/// Outputs and states of every tick of a run that never went back.
std::vector<std::vector<unsigned char>> straight(std::int64_t ticks, std::int64_t change_at,
                                                 const LiveSetting& setting) {
  const Live live(pida);
  std::vector<std::vector<unsigned char>> all;
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    if (tick == change_at) { EXPECT_EQ(live.set({setting}), ""); }
    live.runtime->step();
    all.push_back(live.runtime->checkpoint().bytes);
  }
  return all;
}

TEST(Timeline, AWalkBackAndForthHasTheBitsOfAStraightRun) {
  constexpr std::int64_t ticks = 2000, change_at = 700;
  const LiveSetting setting{"lead_time", "3 ms"};
  const Live live(pida);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  Diagnostics diagnostics;
  ASSERT_TRUE(live.tuning->look({setting}, diagnostics)) << diagnostics.text();
  const auto expected = straight(ticks, change_at, setting);
  Timeline timeline(*live.runtime, *live.tuning, 300'000); // little: it has to thin out
  ASSERT_EQ(timeline.obstacle(), "");
  std::mt19937 random(7);
  std::int64_t furthest = 0;
  std::size_t checkpoints = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const std::int64_t target = std::uniform_int_distribution<std::int64_t>(1, ticks)(random);
    if (target <= live.runtime->tick()) { ASSERT_TRUE(timeline.go_to(target)) << target; }
    while (live.runtime->tick() < target) {
      timeline.note();
      if (live.runtime->tick() == change_at) { ASSERT_EQ(live.set({setting}), ""); }
      ASSERT_TRUE(live.runtime->step());
    }
    furthest = std::max(furthest, target);
    checkpoints = std::max(checkpoints, timeline.checkpoints());
    ASSERT_EQ(live.runtime->checkpoint().bytes, expected[static_cast<std::size_t>(target - 1)])
        << "turn " << turn << ", tick " << target;
  }
  EXPECT_GT(furthest, 1500);
  EXPECT_GE(checkpoints, 2u);
}

/// A ball that bounces, and a clock that makes steps restart.
std::string bouncing(const std::string& solver) {
  return "<diagram format=\"1\" name=\"b\" period=\"1 ms\" " + solver + R"(>
  <block name="x" type="continuous/Integrator" initial="1 m"/>
  <block name="v" type="continuous/ResetIntegrator" reset_on="falling"/>
  <block name="gravity" type="sources/Constant" value="-10 m/s2"/>
  <block name="bounce" type="math/Gain" gain="-0.9"/>
  <block name="clock" type="sources/Clock" sample_time="10 ms"/>
  <block name="sum" type="continuous/Integrator"/>
  <connect from="gravity.y" to="v.u"/>
  <connect from="v.y" to="x.u"/>
  <connect from="x.y" to="v.trigger"/>
  <connect from="v.y" to="bounce.u"/>
  <connect from="bounce.y" to="v.restart"/>
  <connect from="clock.time" to="sum.u"/>
</diagram>)";
}

TEST(Timeline, TheSolverCountsWhatIsRepeatedOnce) {
  std::vector<std::string> solvers = {"solver=\"dopri5\"", "solver=\"rosenbrock\"",
                                      "solver=\"rk4\" events=\"located\""};
  if (has_cvode()) solvers.emplace_back("solver=\"cvode\"");
  for (const std::string& solver : solvers) {
    const DiagramText text{"b.xml", bouncing(solver)};
    const Live straight(text), live(text);
    ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
    straight.run_to(1500);
    Timeline timeline(*live.runtime, *live.tuning);
    const auto run_to = [&](std::int64_t tick) {
      for (; live.runtime->tick() < tick; live.runtime->step()) timeline.note();
    };
    run_to(1200);
    for (const std::int64_t tick : {1100, 703, 0, 911}) {
      run_to(1200);
      ASSERT_TRUE(timeline.go_to(tick)) << tick;
    }
    run_to(1500);
    const nlohmann::ordered_json counted = solver_document(*straight.runtime);
    EXPECT_GT(counted["events"].get<int>(), 1) << solver;
    EXPECT_EQ(solver_document(*live.runtime).dump(), counted.dump()) << solver;
  }
}

TEST(Timeline, WhatWasSetSinceIsTakenBack) {
  const Live live(DiagramText{"g.xml", R"(<diagram format="1" name="g" period="1 ms">
  <block name="c" type="sources/Constant" value="1"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="c.y" to="g.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  Timeline timeline(*live.runtime, *live.tuning);
  live.run_to(10);
  EXPECT_EQ(live.set({{"g.gain", "5"}}), "");
  live.run_to(20);
  EXPECT_EQ(live.set({{"g.gain", "7"}}), "");
  live.run_to(30);
  EXPECT_EQ(live.number("g.y"), 7);
  ASSERT_TRUE(timeline.go_to(20));
  EXPECT_EQ(live.number("g.y"), 5);
  EXPECT_EQ(live.tuning->text_of("g.gain"), "5");
  EXPECT_EQ(live.tuning->taken().size(), 1u);
  live.run_to(25);
  EXPECT_EQ(live.number("g.y"), 5);
  ASSERT_TRUE(timeline.go_to(3));
  EXPECT_EQ(live.tuning->text_of("g.gain"), "2");
  EXPECT_FALSE(timeline.go_to(4)) << "it has not come there yet";
}

} // namespace
} // namespace hilda::test
