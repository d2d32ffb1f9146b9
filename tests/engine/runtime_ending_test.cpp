// SPDX-License-Identifier: BSD-3-Clause
// How a run ends: by a block's verdict, by a number that is none, by the safety stage; and who is named.

#include "tests/engine/loop.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using Kind = Ending::Kind;
using ::testing::HasSubstr;

TEST(NotANumber, IsFoundWhereItArises) {
  Loop loop(R"(<block name="after" type="math/Gain" gain="2"/>
<block name="clock" type="sources/Clock"/>
<block name="bad" type="probes/Poison" from="7"/>
<connect from="clock.time" to="bad.u"/>
<connect from="bad.y" to="after.u"/>
)");
  loop.run(100);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Kind::failed);
  EXPECT_EQ(ending.block, "bad");
  EXPECT_EQ(ending.signal, "bad.y");
  EXPECT_EQ(ending.time, 0.007);
  EXPECT_EQ(ending.text, "the output is not a number (element 0)");
  EXPECT_EQ(loop.runtime().tick(), 7);
}

TEST(NotANumber, IsFoundInAStateThatNobodySees) {
  for (const bool separate : {false, true}) {
    RuntimeOptions options;
    options.separate = separate;
    Loop loop("<block name='bad' type='probes/PoisonState' from='3'/>\n", options);
    loop.run(100);
    const Ending ending = loop.runtime().ending();
    EXPECT_EQ(ending.kind, Kind::failed);
    EXPECT_EQ(ending.signal, "bad.x");
    EXPECT_EQ(ending.time, 0.003);
    EXPECT_EQ(ending.text, "the state is not a number (element 1)");
  }
}

TEST(NotANumber, IsFoundInAContinuousState) {
  // Euler's method far beyond its stability limit: the state grows to infinity, and there inf - inf is not a number.
  RuntimeOptions options;
  options.solver = SolverKind::euler;
  Loop loop(R"(<block name="x" type="continuous/Integrator" initial="1"/>
<block name="pull" type="math/Gain" gain="-5000 1/s"/>
<block name="sum" type="math/Sum" signs="++"/>
<block name="push" type="sources/Constant" value="1 1/s"/>
<connect from="x.y" to="pull.u"/>
<connect from="pull.y" to="sum.u[0]"/>
<connect from="push.y" to="sum.u[1]"/>
<connect from="sum.y" to="x.u"/>
)",
            options);
  loop.run(5000);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Kind::failed);
  EXPECT_EQ(ending.signal, "x.x");
  EXPECT_LT(ending.time, 1.0);
}

/// Ten blocks of one type side by side, each with `width` numbers, one of which is `bad` in block 6: a row is looked at
/// in pieces, and no element may fall between two of them.
std::string row(const char* type, int width, int place, const char* good, const char* bad) {
  std::string body;
  for (int b = 0; b < 10; ++b) {
    std::string value;
    for (int i = 0; i < width; ++i) value += std::string(i > 0 ? " " : "") + (b == 6 && i == place ? bad : good);
    const std::string n = std::to_string(b);
    body += "<block name='c" + n + "' type='sources/Constant' value='" + value + "'/>\n<block name='b" + n +
            "' type='" + type + "'/>\n<connect from='c" + n + ".y' to='b" + n + ".u'/>\n";
  }
  return body;
}

TEST(NotANumber, IsFoundInEveryElementOfARow) {
  for (int width = 1; width <= 9; ++width)
    for (int place = 0; place < width; ++place) {
      Loop outputs(row("math/Sqrt", width, place, "1", "-1"));
      outputs.run(3);
      EXPECT_EQ(outputs.runtime().ending().signal, "b6.y") << width << ", " << place;
      EXPECT_EQ(outputs.runtime().ending().text, "the output is not a number (element " + std::to_string(place) + ")");
      Loop states(row("discrete/UnitDelay", width, place, "1", "inf"));
      states.run(3);
      EXPECT_EQ(states.runtime().ending().block, "b6") << width << ", " << place;
      EXPECT_THAT(states.runtime().ending().text, HasSubstr("(element " + std::to_string(place) + ")"));
    }
}

/// Of a large state a slice is looked at each tick; the last one is shorter than the others.
TEST(NotANumber, IsFoundAtEveryEndOfALargeState) {
  for (const int width : {1025, 1088, 1089, 1151})
    for (const int place : {0, 63, 64, 1023, 1024, width - 1}) {
      std::string value;
      for (int i = 0; i < width; ++i) value += i == place ? "inf " : "1 ";
      Loop loop("<block name='c' type='sources/Constant' value='" + value +
                "'/><block name='b' type='discrete/UnitDelay'/><connect from='c.y' to='b.u'/>\n");
      loop.run(40);
      EXPECT_EQ(loop.runtime().ending().block, "b") << width << ", " << place;
      EXPECT_THAT(loop.runtime().ending().text, HasSubstr("(element " + std::to_string(place) + ")"));
    }
}

/// A stop at tick 3 and something that goes wrong at `failing`, before or behind it in the file.
Ending stop_and(const std::string& failing, bool first) {
  const std::string stop = "<block name='clock' type='sources/Clock'/>"
                           "<block name='late' type='math/Compare' operation='greater_or_equal' with='3 ms'/>"
                           "<block name='end' type='sinks/Stop'/><connect from='clock.time' to='late.a'/>"
                           "<connect from='late.y' to='end.condition'/>\n";
  Loop loop(first ? failing + stop : stop + failing);
  loop.run(10);
  return loop.runtime().ending();
}

TEST(Verdict, APlannedStopGivesWayToAFailureInTheSameTick) {
  const std::string claim = "<block name='c2' type='sources/Clock'/>"
                            "<block name='early' type='math/Compare' operation='less' with='3 ms'/>"
                            "<block name='claim' type='sinks/Assert'/><connect from='c2.time' to='early.a'/>"
                            "<connect from='early.y' to='claim.condition'/>\n";
  const std::string number = "<block name='c2' type='sources/Clock'/><block name='bad' type='probes/Poison' from='3'/>"
                             "<connect from='c2.time' to='bad.u'/>\n";
  const std::string state = "<block name='bad' type='probes/PoisonState' from='3'/>\n";
  const std::string late = "<block name='bad' type='probes/FailsInUpdate' from='3'/>\n";
  for (const bool first : {false, true}) {
    EXPECT_EQ(stop_and(claim, first).block, "claim");
    EXPECT_EQ(stop_and(number, first).signal, "bad.y");
    EXPECT_EQ(stop_and(state, first).signal, "bad.x");
    EXPECT_EQ(stop_and(late, first).text, "fails in update");
    for (const std::string& failing : {claim, number, state, late}) {
      EXPECT_EQ(stop_and(failing, first).kind, Kind::failed);
      EXPECT_EQ(stop_and(failing, first).time, 0.003);
    }
  }
}

/// The stop is found when outputs have been computed, the failure when states have: the run ends as failed.
TEST(Verdict, AStopOfAnOutputGivesWayToAFailureInTheUpdateOfTheSameTick) {
  const std::string stop = "<block name='stop' type='probes/StopsInOutput' from='3'/>\n";
  const auto ending = [&](const std::string& failing) {
    Loop loop(stop + failing);
    loop.run(10);
    return loop.runtime().ending();
  };
  EXPECT_EQ(ending("").kind, Kind::stopped);
  EXPECT_EQ(ending("").text, "stops in output");
  const Ending state = ending("<block name='bad' type='probes/PoisonState' from='3'/>\n");
  EXPECT_EQ(state.kind, Kind::failed);
  EXPECT_EQ(state.signal, "bad.x");
  const Ending late = ending("<block name='bad' type='probes/FailsInUpdate' from='3'/>\n");
  EXPECT_EQ(late.kind, Kind::failed);
  EXPECT_EQ(late.text, "fails in update");
  EXPECT_EQ(ending("<block name='bad' type='probes/FailsInUpdate' from='4'/>\n").kind, Kind::stopped);
}

TEST(Verdict, AFailureInALaterTickDoesNotChangeAPlannedStop) {
  EXPECT_EQ(stop_and("<block name='bad' type='probes/PoisonState' from='4'/>\n", false).kind, Kind::stopped);
  EXPECT_EQ(stop_and("<block name='bad' type='probes/FailsInUpdate' from='4'/>\n", false).kind, Kind::stopped);
}

TEST(Verdict, StopEndsTheRunAsPlanned) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<block name="late" type="math/Compare" operation="greater_or_equal" with="5 ms"/>
<block name="end" type="sinks/Stop"/>
<connect from="clock.time" to="late.a"/>
<connect from="late.y" to="end.condition"/>
)");
  loop.run(100);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Kind::stopped);
  EXPECT_EQ(ending.block, "end");
  EXPECT_EQ(ending.text, "the stop condition holds");
  EXPECT_EQ(ending.time, 0.005);
  EXPECT_EQ(loop.trace("clock.time").size(), 6u);
}

TEST(Verdict, AssertFailsTheRun) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<block name="early" type="math/Compare" operation="less" with="3 ms"/>
<block name="claim" type="sinks/Assert"/>
<connect from="clock.time" to="early.a"/>
<connect from="early.y" to="claim.condition"/>
)");
  loop.run(100);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Kind::failed);
  EXPECT_EQ(ending.block, "claim");
  EXPECT_EQ(ending.text, "the asserted condition does not hold");
  EXPECT_EQ(ending.time, 0.003);
}

TEST(Verdict, OfARunThatGoesOnIsNone) {
  Loop loop("<block name='clock' type='sources/Clock'/>\n");
  loop.run(3);
  EXPECT_EQ(loop.runtime().ending().kind, Kind::none);
}

const std::string moved = R"(<block name="clock" type="sources/Clock"/>
<block name="place" type="math/Gain" gain="2 m/s"/>
<block name="maybe" type="probes/Poison" from="4"/>
<block name="motor" type="probes/Motor"/>
<connect from="clock.time" to="place.u"/>
<connect from="place.y" to="maybe.u"/>
<connect from="maybe.y" to="motor.command"/>
)";

TEST(SafetyStage, PassesWhatIsSound) {
  Loop loop(moved);
  loop.run(4);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(loop.trace("motor.sent").at(k), loop.trace("maybe.y").at(k)) << k;
}

TEST(SafetyStage, EndsTheRunAndRampsToRest) {
  Loop loop(moved);
  loop.run(100);
  EXPECT_EQ(loop.runtime().ending().kind, Kind::failed);
  EXPECT_EQ(loop.runtime().ending().signal, "maybe.y");
  EXPECT_EQ(loop.runtime().tick(), 4);
  EXPECT_TRUE(loop.runtime().safety().tripped());
  EXPECT_TRUE(std::isnan(loop.value("maybe.y")));
  // it went 2 mm a tick; from there on it slows down
  double before = 2 * 0.003;
  for (int k = 0; k < 5000 && !loop.runtime().safety().at_rest(); ++k) {
    const double sent = loop.value("motor.sent");
    ASSERT_GE(sent, before);
    ASSERT_LE(sent - before, 0.002);
    before = sent;
    ASSERT_FALSE(loop.runtime().compute()) << "a run that has failed does not go on";
  }
  EXPECT_TRUE(loop.runtime().safety().at_rest());
}

} // namespace
} // namespace hilda::test
