// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <cmath>

namespace hilda::test {
namespace {

using testing::HasSubstr;

const std::string late = "<block name=\"s\" type=\"sources/Step\" time=\"30 ms\" after=\"0\" before=\"1\"/><block "
                         "name=\"on\" type=\"math/RealToBool\"/>" +
                         wire("s.y", "on.u");

TEST(Sinks, AssertFailsTheRunAtTheFirstTickWithoutItsCondition) {
  const Trial trial = run_trial(late + "<block name=\"a\" type=\"sinks/Assert\"/>" + wire("on.y", "a.condition"));
  EXPECT_EQ(trial.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(trial.ending.block, "a");
  EXPECT_NEAR(trial.ending.time, 0.030, 1e-12);
  EXPECT_EQ(
      sound_trial(late + "<block name=\"a\" type=\"sinks/Assert\" from=\"10 s\"/>" + wire("on.y", "a.condition")).ticks,
      100);
  const std::string from_there = "<block name=\"a\" type=\"sinks/Assert\" from=\"30 ms\"/>";
  EXPECT_NEAR(run_trial(late + from_there + wire("on.y", "a.condition")).ending.time, 0.030, 1e-12);
}

TEST(Sinks, AssertRangeNamesTheValue) {
  const Trial trial = run_trial("<block name=\"s\" type=\"sources/Ramp\" slope=\"1 2 m/s\"/><block name=\"a\" "
                                "type=\"sinks/AssertRange\" upper=\"1 0.1005 m\"/>" +
                                wire("s.y", "a.u"));
  EXPECT_EQ(trial.ending.kind, Ending::Kind::failed);
  EXPECT_NEAR(trial.ending.time, 0.051, 1e-12);
  EXPECT_NEAR(trial.ending.value, 0.102, 1e-12);
}

TEST(Sinks, AssertRangeHasBoundsThatBelongToTheRangeAndFitTheSignal) {
  const auto range = [](const std::string& bounds) {
    return run_trial("<block name=\"c\" type=\"sources/Constant\" value=\"1 2 3\"/><block name=\"a\" "
                     "type=\"sinks/AssertRange\" " +
                     bounds + "/>" + wire("c.y", "a.u"));
  };
  EXPECT_EQ(range("lower=\"1\" upper=\"3\"").ending.kind, Ending::Kind::none);
  EXPECT_EQ(range("lower=\"1 2 3\" upper=\"1 2 3\"").ending.kind, Ending::Kind::none);
  EXPECT_EQ(range("lower=\"1 2.001 3\"").ending.value, 2);
  EXPECT_EQ(range("upper=\"2.999\"").ending.value, 3);
  EXPECT_THAT(range("lower=\"1 2\"").errors, HasSubstr("lower: has 2 values for a signal of 3"));
  EXPECT_THAT(range("upper=\"1 2\"").errors, HasSubstr("upper: has 2 values for a signal of 3"));
  EXPECT_THAT(range("lower=\"4\" upper=\"3\"").errors, HasSubstr("lies above upper"));
}

TEST(Sinks, StopEndsTheRunAsPlanned) {
  const Trial trial =
      run_trial(late + "<block name=\"off\" type=\"math/Logic\" operation=\"not\" inputs=\"1\"/>" +
                wire("on.y", "off.u[0]") + "<block name=\"e\" type=\"sinks/Stop\"/>" + wire("off.y", "e.condition"));
  EXPECT_EQ(trial.ending.kind, Ending::Kind::stopped);
  EXPECT_EQ(trial.ending.block, "e");
  EXPECT_NEAR(trial.ending.time, 0.030, 1e-12);
}

TEST(Sinks, TerminatorAcceptsEveryShape) {
  for (const char* value : {"1", "1 2 3", "1 2; 3 4"})
    sound_trial(std::string("<block name=\"c\" type=\"sources/Constant\" value=\"") + value +
                "\"/><block name=\"t\" type=\"sinks/Terminator\"/>" + wire("c.y", "t.u"));
}

TEST(Sinks, RecordTellsWhatASignalDid) {
  const Trial trial = sound_trial("<block name=\"s\" type=\"sources/Noise\" deviation=\"1 5\" mean=\"2\"/><block "
                                  "name=\"r\" type=\"sinks/Record\" key=\"noise\" sample_time=\"2 ms\"/>" +
                                  wire("s.y", "r.u"));
  double smallest = INFINITY, largest = -INFINITY, sum = 0, squares = 0;
  for (std::size_t k = 0; k < 100; k += 2)
    for (const double v : trial["s.y"].row(k))
      smallest = std::min(smallest, v), largest = std::max(largest, v), sum += v, squares += v * v;
  EXPECT_EQ(trial["r.y"].row(51), trial["s.y"].row(50));
  EXPECT_EQ(trial.summary.at("noise.min"), smallest);
  EXPECT_EQ(trial.summary.at("noise.max"), largest);
  EXPECT_NEAR(trial.summary.at("noise.mean"), sum / 100, 1e-12);
  EXPECT_NEAR(trial.summary.at("noise.rms"), std::sqrt(squares / 100), 1e-12);
}

TEST(Sinks, RecordKnowsNoValueThatWasNotThere) {
  const auto range = [](const std::string& value) {
    const Trial trial = sound_trial("<block name=\"c\" type=\"sources/Constant\" value=\"" + value +
                                    "\"/><block name=\"r\" type=\"sinks/Record\" key=\"c\"/>" + wire("c.y", "r.u"));
    return std::pair(trial.summary.at("c.min"), trial.summary.at("c.max"));
  };
  EXPECT_EQ(range("3 2 5"), std::pair(2.0, 5.0));
  EXPECT_EQ(range("-3 -2 -5"), std::pair(-5.0, -2.0));
}

} // namespace
} // namespace hilda::test
