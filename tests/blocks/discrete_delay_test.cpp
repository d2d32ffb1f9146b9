// SPDX-License-Identifier: BSD-3-Clause
// What is kept for later: delays and held samples.
#include "tests/blocks/recursion.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Discrete, UnitDelayGivesTheInputOfTheLastSample) {
  expect_recursion("discrete/UnitDelay", "initial=\"7\"", "y",
                   [](double, double) { return [held = 7.0](double u) mutable { return std::exchange(held, u); }; });
}

TEST(Discrete, DelayIsALineOfSamples) {
  for (const int samples : {0, 1, 2, 17})
    expect_recursion("discrete/Delay", "samples=\"" + std::to_string(samples) + "\" initial=\"-1\"", "y",
                     [samples](double, double) {
                       return [line = std::deque<double>(static_cast<std::size_t>(samples), -1.0)](double u) mutable {
                         line.push_back(u);
                         const double y = line.front();
                         line.pop_front();
                         return y;
                       };
                     });
}

TEST(Discrete, DelayIsGivenAsATimeToo) {
  const Trial trial = sound_trial(fed("discrete/Delay", "delay=\"20 ms\""));
  EXPECT_EQ(trial["b.y"].row(19), std::vector<double>(3, 0.0));
  for (std::size_t k = 20; k < trial["u.y"].ticks(); ++k) EXPECT_EQ(trial["b.y"].row(k), trial["u.y"].row(k - 20));
}

TEST(Discrete, ADelayThatIsNoWholeNumberOfSamplesIsRefusedRoundedOrInterpolated) {
  EXPECT_THAT(run_trial(fed("discrete/Delay", "delay=\"2.25 ms\"")).errors, HasSubstr("fractional"));
  EXPECT_EQ(run_trial(fed("discrete/Delay", "delay=\"2.0000000000001 ms\"")).errors, "");
  const Trial rounded = sound_trial(fed("discrete/Delay", "delay=\"2.25 ms\" fractional=\"round\""));
  EXPECT_EQ(rounded["b.y"].row(10), rounded["u.y"].row(8));
  const Trial between = sound_trial(fed("discrete/Delay", "delay=\"2.25 ms\" fractional=\"interpolate\""));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(between["b.y"].at(10, i), 0.75 * between["u.y"].at(8, i) + 0.25 * between["u.y"].at(7, i), 1e-15);
  const Trial short_one = sound_trial(fed("discrete/Delay", "delay=\"0.25 ms\" fractional=\"interpolate\""));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(short_one["b.y"].at(10, i), 0.75 * short_one["u.y"].at(10, i) + 0.25 * short_one["u.y"].at(9, i),
                1e-15);
  EXPECT_THAT(run_trial(fed("discrete/Delay", "delay=\"2 ms\" samples=\"3\"")).errors, HasSubstr("one of the two"));
}

/// As the rigs do: a delay that rounding would make nothing of is not quietly none, with feedthrough.
TEST(Discrete, ADelayIsNotRoundedToNothing) {
  for (const char* delay : {"0.3 ms", "0.49 ms", "1 us"})
    EXPECT_THAT(run_trial(fed("discrete/Delay", std::string("fractional=\"round\" delay=\"") + delay + "\"")).errors,
                HasSubstr("rounded to nothing"))
        << delay;
  const Trial one = sound_trial(fed("discrete/Delay", "delay=\"0.6 ms\" fractional=\"round\""));
  EXPECT_EQ(one["b.y"].row(10), one["u.y"].row(9));
  const Trial none = sound_trial(fed("discrete/Delay", "delay=\"0 s\" fractional=\"round\""));
  EXPECT_EQ(none["b.y"].row(10), none["u.y"].row(10));
  const Trial nearly = sound_trial(fed("discrete/Delay", "delay=\"1e-16 s\"")); // within 1e-9 of a whole sample
  EXPECT_EQ(nearly["b.y"].row(10), nearly["u.y"].row(10));
}

TEST(Discrete, ADelayBreaksALoopAndOneOfZeroDoesNot) {
  const auto loop = [](const std::string& delay) {
    return run_trial("<block name=\"g\" type=\"math/Sum\" signs=\"-+\"/>" + wire("d.y", "g.u[0]") +
                     "<block name=\"z\" type=\"sources/Constant\" value=\"0 0\"/>" + wire("z.y", "g.u[1]") +
                     "<block name=\"d\" type=\"discrete/Delay\" initial=\"1\" " + delay + "/>" + wire("g.y", "d.u"));
  };
  EXPECT_THAT(loop("delay=\"0 s\"").errors, HasSubstr("d"));
  const Trial broken = loop("delay=\"2 ms\"");
  EXPECT_EQ(broken.errors, "");
  EXPECT_THAT(broken["d.y"].row(2), ElementsAre(-1, -1));
  EXPECT_EQ(loop("delay=\"1.5 ms\" fractional=\"interpolate\"").errors, "");
}

TEST(Discrete, TheLineIsFilledWithWhatIsWiredToFill) {
  const std::string body = fed("discrete/Delay", "delay=\"5 ms\"") + wire("u.y", "b.fill");
  const Trial trial = sound_trial(body);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(trial["b.y"].row(k), trial["u.y"].row(0));
  EXPECT_EQ(trial["b.y"].row(6), trial["u.y"].row(1));
}

TEST(Discrete, ZeroOrderHoldKeepsTheLastSample) {
  const Trial trial = sound_trial(fed("discrete/ZeroOrderHold", "sample_time=\"4 ms\""));
  for (std::size_t k = 0; k < trial["u.y"].ticks(); ++k) EXPECT_EQ(trial["b.y"].row(k), trial["u.y"].row(k / 4 * 4));
}

TEST(Discrete, ABooleanIsDelayedFromItsInitialValueOn) {
  for (const bool initial : {true, false}) {
    const Trial trial =
        sound_trial(fed("discrete/BooleanDelay", initial ? "initial=\"true\"" : "",
                        "type=\"sources/BooleanConstant\" value=\"" + std::string(initial ? "false" : "true") + "\""));
    EXPECT_EQ(trial["b.y"].at(0), initial);
    for (std::size_t k = 1; k < 100; ++k) EXPECT_EQ(trial["b.y"].at(k), !initial);
  }
}

} // namespace
} // namespace hilda::test
