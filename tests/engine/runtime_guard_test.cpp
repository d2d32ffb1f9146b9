// SPDX-License-Identifier: BSD-3-Clause
// Conditional execution: enable, reset, nested subsystems, and priming when a block starts again.

#include "tests/engine/loop.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using Trace = std::vector<double>;

/// A boolean that is true from tick `first` for `width` ticks: "gate.y".
std::string gate(const std::string& name, int first, int width) {
  return "<block name='" + name + "_pulse' type='sources/Pulse' high='1' first='" + std::to_string(first) +
         " ms' width='" + std::to_string(width) + " ms'/><block name='" + name +
         "' type='math/Compare' operation='greater' with='0.5'/>" + "<connect from='" + name + "_pulse.y' to='" + name +
         ".a'/>\n";
}

const std::string one = "<block name='one' type='sources/Constant' value='1'/>\n";
/// y = 1, 2, 3... while it runs
std::string adder(const std::string& attributes, const std::string& name = "sum") {
  return "<block name='" + name + "' type='discrete/DiscreteIntegrator' method='backward' " + attributes +
         "/><block name='" + name + "_rate' type='math/Gain' gain='1000'/>" + "<connect from='one.y' to='" + name +
         "_rate.u'/><connect from='" + name + "_rate.y' to='" + name + ".u'/>\n";
}

TEST(Enable, HoldsStateAndOutputsWhileFalse) {
  Loop loop(one + gate("open", 3, 4) + adder("enable='open.y'"));
  loop.run(10);
  EXPECT_THAT(loop.trace("sum.y"), ElementsAre(0, 0, 0, 1, 2, 3, 4, 4, 4, 4));
}

TEST(Enable, ZeroesOutputsWhereAskedAndKeepsTheState) {
  Loop loop(one +
            "<block name='train' type='sources/Pulse' high='1' repeat='5 ms' width='3 ms'/>"
            "<block name='open' type='math/Compare' operation='greater' with='0.5'/>"
            "<connect from='train.y' to='open.a'/>\n" +
            adder("enable='open.y' outputs='reset'"));
  loop.run(10);
  EXPECT_THAT(loop.trace("sum.y"), ElementsAre(1, 2, 3, 0, 0, 4, 5, 6, 0, 0));
}

TEST(Enable, OfASubsystemHoldsForAllInside) {
  Loop loop(
      one + gate("outer", 2, 6) + gate("inner", 4, 2) +
      "<subsystem name='a' enable='outer.y'><input name='inner'/><input name='u'/>\n"
      "<subsystem name='b' enable='inner'><input name='u'/>\n"
      "<block name='count' type='discrete/DiscreteIntegrator' method='backward'/><connect from='u' "
      "to='count.u'/></subsystem>\n"
      "<block name='count' type='discrete/DiscreteIntegrator' method='backward'/><connect from='u' to='count.u'/>\n"
      "<connect from='u' to='b.u'/></subsystem>\n"
      "<block name='rate' type='math/Gain' gain='1000'/><connect from='one.y' to='rate.u'/>\n"
      "<connect from='rate.y' to='a.u'/><connect from='inner.y' to='a.inner'/>\n");
  loop.run(10);
  EXPECT_THAT(loop.trace("a.count.y"), ElementsAre(0, 0, 1, 2, 3, 4, 5, 6, 6, 6));
  EXPECT_THAT(loop.trace("a.b.count.y"), ElementsAre(0, 0, 0, 0, 1, 2, 2, 2, 2, 2));
}

TEST(Enable, OutputsResetReachesNestedSubsystems) {
  Loop loop(one + gate("outer", 0, 3) +
            "<subsystem name='a' enable='outer.y' outputs='reset'><input name='u'/>\n"
            "<subsystem name='b'><input name='u'/>"
            "<block name='count' type='discrete/DiscreteIntegrator' method='backward'/><connect from='u' "
            "to='count.u'/></subsystem>\n"
            "<connect from='u' to='b.u'/></subsystem>\n"
            "<block name='rate' type='math/Gain' gain='1000'/><connect from='one.y' to='rate.u'/><connect "
            "from='rate.y' to='a.u'/>\n");
  loop.run(5);
  EXPECT_THAT(loop.trace("a.b.count.y"), ElementsAre(1, 2, 3, 0, 0));
}

TEST(Enable, OutputsResetReachesNestedSubsystemsWithAConditionOfTheirOwn) {
  const std::string inside = "<input name='u'/><block name='count' type='discrete/DiscreteIntegrator' "
                             "method='backward'/><connect from='u' to='count.u'/>";
  Loop loop(one + gate("outer", 0, 3) + gate("inner", 0, 9) +
            "<subsystem name='a' enable='outer.y' outputs='reset'><input name='u'/><input name='inner'/>\n"
            "<subsystem name='b' enable='inner'>" +
            inside +
            "</subsystem>\n<subsystem name='c' enable='inner'><input name='u'/><input name='inner'/>\n"
            "<subsystem name='d' enable='inner'>" +
            inside +
            "</subsystem><connect from='u' to='d.u'/></subsystem>\n"
            "<connect from='u' to='b.u'/><connect from='u' to='c.u'/><connect from='inner' to='c.inner'/></subsystem>\n"
            "<block name='rate' type='math/Gain' gain='1000'/><connect from='one.y' to='rate.u'/>"
            "<connect from='rate.y' to='a.u'/><connect from='inner.y' to='a.inner'/>\n");
  loop.run(5);
  EXPECT_THAT(loop.trace("a.b.count.y"), ElementsAre(1, 2, 3, 0, 0));
  EXPECT_THAT(loop.trace("a.c.d.count.y"), ElementsAre(1, 2, 3, 0, 0));
}

TEST(Enable, OutputsResetLeavesWhatAConditionWithinHolds) {
  // b runs for 2 ticks of 4; a zeroes from tick 9 on, when b is held already
  const std::string body =
      one + gate("outer", 0, 9) +
      "<block name='train' type='sources/Pulse' high='1' repeat='4 ms' width='2 ms'/>"
      "<block name='inner' type='math/Compare' operation='greater' with='0.5'/>"
      "<connect from='train.y' to='inner.a'/>"
      "<subsystem name='a' enable='outer.y' outputs='reset'><input name='u'/><input name='inner'/>\n"
      "<subsystem name='b' enable='inner' HELD><input name='u'/>"
      "<block name='count' type='discrete/DiscreteIntegrator' method='backward'/>"
      "<connect from='u' to='count.u'/></subsystem>\n"
      "<connect from='u' to='b.u'/></subsystem>\n"
      "<block name='rate' type='math/Gain' gain='1000'/><connect from='one.y' to='rate.u'/>"
      "<connect from='rate.y' to='a.u'/><connect from='inner.y' to='a.inner'/>\n";
  for (const std::string held : {"", "outputs='hold'"}) {
    std::string text = body;
    text.replace(text.find("HELD"), 4, held);
    Loop loop(text);
    loop.run(12);
    EXPECT_THAT(loop.trace("a.b.count.y"), ElementsAre(1, 2, 2, 2, 3, 4, 4, 4, 5, 0, 0, 0)) << held;
  }
}

TEST(Enable, OutputsResetZeroesWhatAConditionWithinHasHeldBefore) {
  // b has been held since tick 2 when a is left at tick 5
  Loop loop(one + gate("outer", 0, 5) + gate("inner", 0, 2) +
            "<subsystem name='a' enable='outer.y' outputs='reset'><input name='u'/><input name='inner'/>\n"
            "<subsystem name='b' enable='inner'><input name='u'/><block name='count' "
            "type='discrete/DiscreteIntegrator' method='backward'/><connect from='u' to='count.u'/></subsystem>\n"
            "<connect from='u' to='b.u'/></subsystem>\n"
            "<block name='rate' type='math/Gain' gain='1000'/><connect from='one.y' to='rate.u'/>"
            "<connect from='rate.y' to='a.u'/><connect from='inner.y' to='a.inner'/>\n");
  loop.run(8);
  EXPECT_THAT(loop.trace("a.b.count.y"), ElementsAre(1, 2, 2, 2, 2, 0, 0, 0));
}

TEST(Enable, HoldsContinuousStates) {
  Loop loop(one + gate("open", 3, 4) +
            "<block name='x' type='continuous/Integrator' enable='open.y'/><connect from='one.y' to='x.u'/>\n");
  loop.run(10);
  const Trace& x = loop.trace("x.y");
  // from tick 3 to tick 7: four steps; its output at the last of them is computed at tick 7 no more
  EXPECT_EQ(x.at(3), 0);
  EXPECT_NEAR(x.at(6), 0.003, 1e-15);
  EXPECT_EQ(x.at(7), x.at(6));
  EXPECT_EQ(x.at(9), x.at(6));
}

TEST(Reset, IsALevel) {
  Loop loop(one + gate("again", 4, 3) + adder("reset='again.y'"));
  loop.run(10);
  EXPECT_THAT(loop.trace("sum.y"), ElementsAre(1, 2, 3, 4, 1, 1, 1, 2, 3, 4));
}

TEST(Reset, OfASubsystemResetsAllInside) {
  Loop loop(one + gate("again", 4, 1) +
            "<subsystem name='a' reset='again.y'><input name='u'/>"
            "<subsystem name='b'><input name='u'/><block name='x' type='continuous/Integrator' initial='5 s'/><connect "
            "from='u' to='x.u'/></subsystem>"
            "<block name='count' type='discrete/DiscreteIntegrator' initial='7 s'/><connect from='u' "
            "to='count.u'/><connect from='u' to='b.u'/></subsystem>\n"
            "<connect from='one.y' to='a.u'/>\n");
  loop.run(6);
  EXPECT_EQ(loop.trace("a.b.x.y").at(4), 5);
  EXPECT_NEAR(loop.trace("a.b.x.y").at(5), 5.001, 1e-12);
  EXPECT_EQ(loop.trace("a.count.y").at(4), 7);
  EXPECT_GT(loop.trace("a.count.y").at(3), 7);
}

TEST(Reset, WorksWhileDisabled) {
  Loop loop(one + gate("open", 0, 3) + gate("reopen", 6, 10) + gate("again", 4, 1) +
            "<block name='either' type='math/Logic' operation='or'/><connect from='open.y' to='either.u[0]'/><connect "
            "from='reopen.y' to='either.u[1]'/>\n" +
            adder("enable='either.y' reset='again.y'"));
  loop.run(8);
  EXPECT_THAT(loop.trace("sum.y"), ElementsAre(1, 2, 3, 3, 3, 3, 1, 2));
}

/// A delay line of two ticks that is filled from its source when it starts.
const std::string line =
    "<block name='clock' type='sources/Clock'/><block name='u' type='math/Gain' gain='1000'/>"
    "<connect from='clock.time' to='u.u'/>\n<connect from='u.y' to='line.u'/><connect from='u.y' to='line.fill'/>\n";

TEST(Priming, FillsALineAtTickZero) {
  Loop loop(line + "<block name='line' type='discrete/Delay' samples='2'/>\n");
  loop.run(5);
  EXPECT_THAT(loop.trace("line.y"), ElementsAre(0, 0, 0, 1, 2));
}

TEST(Priming, FillsALineAgainAfterAReset) {
  Loop loop(line + gate("again", 5, 2) + "<block name='line' type='discrete/Delay' samples='2' reset='again.y'/>\n");
  loop.run(10);
  // at ticks 5 and 6 it is filled with what comes in at that tick
  EXPECT_THAT(loop.trace("line.y"), ElementsAre(0, 0, 0, 1, 2, 5, 6, 6, 6, 7));
}

TEST(Priming, WaitsForTheFirstTickAtWhichABlockRuns) {
  Loop loop(line + gate("open", 4, 20) + "<block name='line' type='discrete/Delay' samples='2' enable='open.y'/>\n");
  loop.run(9);
  EXPECT_THAT(loop.trace("line.y"), ElementsAre(0, 0, 0, 0, 4, 4, 4, 5, 6));
}

TEST(Priming, IsNotRepeatedWhenABlockGoesOn) {
  Loop loop(
      line +
      "<block name='train' type='sources/Pulse' high='1' repeat='6 ms' width='4 ms'/>"
      "<block name='open' type='math/Compare' operation='greater' with='0.5'/><connect from='train.y' to='open.a'/>\n"
      "<block name='line' type='discrete/Delay' samples='2' enable='open.y'/>\n");
  loop.run(10);
  EXPECT_THAT(loop.trace("line.y"), ElementsAre(0, 0, 0, 1, 1, 1, 2, 3, 6, 7));
}

TEST(Guard, OfASlowBlockIsReadWhenItRuns) {
  Loop loop(
      one + gate("open", 5, 4) +
      "<block name='count' type='discrete/DiscreteIntegrator' method='backward' sample_time='3 ms' enable='open.y'/>"
      "<block name='rate' type='math/Gain' gain='1000'/><connect from='one.y' to='rate.u'/><connect from='rate.y' "
      "to='count.u'/>\n");
  loop.run(13);
  // its ticks are 0, 3, 6, 9, 12; of these only 6 lies in the gate
  EXPECT_THAT(loop.trace("count.y"), ElementsAre(0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3));
}

} // namespace
} // namespace hilda::test
