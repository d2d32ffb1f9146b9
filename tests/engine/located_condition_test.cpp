// SPDX-License-Identifier: BSD-3-Clause
// Conditions that change between two ticks: where crossings are located, blocks begin, stop and are reset at the very
// time.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

std::vector<std::string> crossings_located(const std::string& period) {
  std::vector<std::string> made = {period + "\" events=\"located", period + "\" solver=\"euler\" events=\"located"};
  for (const SolverKind kind : variable_solvers())
    made.push_back(period + "\" rtol=\"1e-9\" solver=\"" + solver_name(kind));
  return made;
}

/// `ramp` is t; `late` is true from 1.2 s on, `early` before, `between` from 1.2 s to 1.7 s.
const std::string conditions =
    "<block name='c' type='sources/Constant' value='1 1/s'/><block name='ramp' type='continuous/Integrator'/>"
    "<connect from='c.y' to='ramp.u'/><block name='late' type='math/Compare' operation='greater' with='1.2'/>"
    "<connect from='ramp.y' to='late.a'/><block name='early' type='math/Compare' operation='less' with='1.2'/>"
    "<connect from='ramp.y' to='early.a'/><block name='not_over' type='math/Compare' operation='less' with='1.7'/>"
    "<connect from='ramp.y' to='not_over.a'/><block name='between' type='math/Logic' operation='and' inputs='2'/>"
    "<connect from='late.y' to='between.u[0]'/><connect from='not_over.y' to='between.u[1]'/>";

std::string integral(const std::string& attributes) {
  return conditions + "<block name='x' type='continuous/Integrator' " + attributes +
         "/><connect from='c.y' to='x.u'/><block name='twice' type='math/Gain' gain='2'/>"
         "<connect from='x.y' to='twice.u'/>";
}

double at_tick(const std::string& body, const std::string& period, std::size_t tick,
               const std::string& signal = "x.y") {
  Loop loop(body, {}, period);
  loop.run(static_cast<std::int64_t>(tick) + 1);
  return loop.trace(signal).at(tick);
}

TEST(LocatedConditions, ABlockBeginsAtTheCrossing) {
  for (const std::string& period : crossings_located("500 ms")) {
    EXPECT_NEAR(at_tick(integral("enable='late.y'"), period, 5), 1.3, 1e-9) << period;
    EXPECT_NEAR(at_tick(integral("enable='late.y'"), period, 3), 0.3, 1e-9) << period;
  }
}

TEST(LocatedConditions, AndStopsThere) {
  for (const std::string& period : crossings_located("500 ms")) {
    EXPECT_NEAR(at_tick(integral("enable='early.y'"), period, 3), 1.2, 1e-9) << period;
    EXPECT_NEAR(at_tick(integral("enable='early.y'"), period, 6), 1.2, 1e-9) << period;
    EXPECT_NEAR(at_tick(integral("enable='early.y' outputs='reset'"), period, 6), 0, 1e-12) << period;
  }
}

/// Between two ticks it comes and goes.
TEST(LocatedConditions, ABlockRunsWithinATick) {
  for (const std::string& period : crossings_located("1 s")) {
    EXPECT_NEAR(at_tick(integral("enable='between.y'"), period, 2), 0.5, 1e-9) << period;
    EXPECT_NEAR(at_tick(integral("enable='between.y'"), period, 4), 0.5, 1e-9) << period;
  }
}

/// What a block that has stopped puts out is what it was then, for all who read it.
TEST(LocatedConditions, OutputsHoldAsTheyWereThere) {
  const std::string body = conditions + "<block name='x' type='math/Gain' gain='3' enable='early.y'/><connect "
                                        "from='ramp.y' to='x.u'/><block name='z' type='continuous/Integrator'/>"
                                        "<connect from='x.y' to='z.u'/>";
  for (const std::string& period : crossings_located("500 ms")) {
    if (period.find("euler") != std::string::npos) continue; // its integral of a ramp has an error anyway
    EXPECT_NEAR(at_tick(body, period, 4), 3.6, 1e-9) << period;
    EXPECT_NEAR(at_tick(body, period, 4, "z.y"), 3 * 1.2 * 1.2 / 2 + 3.6 * 0.8, 1e-8) << period;
  }
}

TEST(LocatedConditions, AResetEndsAtTheCrossing) {
  for (const std::string& period : crossings_located("500 ms")) {
    EXPECT_NEAR(at_tick(integral("reset='between.y'"), period, 2), 1, 1e-9) << period;
    EXPECT_NEAR(at_tick(integral("reset='between.y'"), period, 3), 0, 1e-9) << period;
    EXPECT_NEAR(at_tick(integral("reset='between.y'"), period, 5), 0.8, 1e-9) << period;
  }
}

TEST(LocatedConditions, AResetBetweenTwoTicksIsNotMissed) {
  for (const std::string& period : crossings_located("1 s"))
    EXPECT_NEAR(at_tick(integral("reset='between.y'"), period, 2), 0.3, 1e-9) << period;
}

TEST(LocatedConditions, OfASubsystemHoldForAllInside) {
  const std::string body =
      conditions + "<subsystem name='a' enable='late.y'><input name='u'/><input name='stop'/>\n"
                   "<block name='x' type='continuous/Integrator'/><connect from='u' to='x.u'/>\n"
                   "<subsystem name='b' enable='stop'><input name='u'/>\n<block name='x' type='continuous/Integrator'/>"
                   "<connect from='u' to='x.u'/></subsystem>\n<connect from='u' to='b.u'/></subsystem>\n"
                   "<connect from='c.y' to='a.u'/><connect from='not_over.y' to='a.stop'/>";
  for (const std::string& period : crossings_located("500 ms")) {
    EXPECT_NEAR(at_tick(body, period, 5, "a.x.y"), 1.3, 1e-9) << period;
    EXPECT_NEAR(at_tick(body, period, 5, "a.b.x.y"), 0.5, 1e-9) << period;
  }
}

/// A source without a sample time, as the condition of a continuous block, is continuous.
TEST(LocatedConditions, AStepEnablesAtItsTime) {
  const std::string body =
      "<block name='c' type='sources/Constant' value='1 1/s'/><block name='step' type='sources/Step' after='1' "
      "time='0.537 s'/><block name='on' type='math/Compare' operation='greater' with='0.5'/><connect from='step.y' "
      "to='on.a'/><block name='x' type='continuous/Integrator' enable='on.y'/><connect from='c.y' to='x.u'/>";
  for (const std::string& period : crossings_located("100 ms"))
    EXPECT_NEAR(at_tick(body, period, 19), 1.363, 1e-9) << period;
}

TEST(LocatedConditions, FixedStepsThatLocateNothingLookAtTicks) {
  EXPECT_NEAR(at_tick(integral("enable='late.y'"), "500 ms", 5), 1.0, 1e-12);
}

TEST(LocatedConditions, GoingBackGivesTheSameBits) {
  for (const std::string& period : crossings_located("500 ms")) {
    Loop loop(integral("enable='between.y' reset='early.y'"), {}, period);
    Runtime& runtime = loop.runtime();
    for (const int tick : {0, 2, 3}) {
      while (runtime.tick() < tick) ASSERT_TRUE(runtime.compute() && runtime.advance());
      const Checkpoint kept = runtime.checkpoint();
      std::vector<std::vector<unsigned char>> bits;
      for (const bool again : {false, true}) {
        for (std::size_t i = 0; i < 5; ++i) {
          ASSERT_TRUE(runtime.compute());
          if (!again) bits.push_back(loop.bits());
          ASSERT_EQ(loop.bits(), bits.at(i)) << tick << " + " << i << ", " << period;
          ASSERT_TRUE(runtime.advance());
        }
        ASSERT_TRUE(runtime.restore(kept));
      }
    }
  }
}

} // namespace
} // namespace hilda::test
