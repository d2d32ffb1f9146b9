// SPDX-License-Identifier: BSD-3-Clause
// What blocks do just at their bounds: found by changing their sources by hand and looking which change no test saw.
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

std::string constant(const std::string& name, const std::string& value) {
  return "<block name=\"" + name + "\" type=\"sources/Constant\" value=\"" + value + "\"/>\n";
}

TEST(Edges, ARelayGoesOnAtUpperAndOffAtLower) {
  const auto relay = [](const std::string& initial) {
    return sound_trial(constant("u", "2 1 1.5") +
                       R"(<block name="b" type="discrete/Relay" lower="1" upper="2" initial=")" + initial + "\"/>" +
                       wire("u.y", "b.u"));
  };
  EXPECT_EQ(relay("false")["b.y"].row(3), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(relay("true")["b.y"].row(3), (std::vector<double>{1, 0, 1}));
}

TEST(Edges, AClampedIntegralComesDownAgain) {
  const Trial trial = sound_trial(
      constant("u", "-1") + R"(<block name="b" type="continuous/Pid" kp="1" ki="100 1/s" upper="1" initial="5"/>)" +
      wire("u.y", "b.setpoint"));
  EXPECT_EQ(trial["b.command"].at(0), 1) << "4 without the limit";
  EXPECT_NEAR(trial["b.command"].at(90), -1 + 5 - 100 * 0.09, 1e-9);
}

/// The polynomial of four values misses t^4 by the product of the distances to them: the two nearest lie on either
/// side.
TEST(Edges, ACubicDelayTakesTheFourNearestValues) {
  const Trial trial =
      sound_trial("<block name=\"clock\" type=\"sources/Clock\"/><block name=\"u\" type=\"math/Function\" "
                  "expression=\"(1000*t)^4\"/><block name=\"b\" type=\"continuous/TransportDelay\" delay=\"10.5 ms\" "
                  "between=\"cubic\"/>" +
                  wire("clock.time", "u.u") + wire("u.y", "b.u"));
  for (std::size_t k = 20; k < 90; ++k)
    EXPECT_NEAR(trial["b.y"].at(k), std::pow(static_cast<double>(k) - 10.5, 4) - 1.5 * 0.5 * 0.5 * 1.5, 1e-4) << k;
}

TEST(Edges, ATableOfSeveralVariablesRefusesWhatLiesBeyondIt) {
  const auto table = [](const std::string& a) {
    return run_trial(constant("u", a) +
                     R"(<block name="b" type="math/LookupTableND" points_a="0 1" values="0 1" outside="refuse"/>)" +
                     wire("u.y", "b.a"));
  };
  EXPECT_EQ(table("1").errors, "");
  EXPECT_EQ(table("1").ending.kind, Ending::Kind::none);
  EXPECT_EQ(table("1.5").ending.text, "the input lies outside the table");
}

TEST(Edges, AVarianceAboveItsLimitGrowsNoFurtherAndIsNotTakenAway) {
  const Trial trial = sound_trial(
      constant("r", "0.01 0.02") + constant("v", "0") +
      R"(<block name="b" type="estimation/RecursiveLeastSquares" forgetting="0.5" initial_covariance="10" largest="1"/>)" +
      wire("r.y", "b.regressor") + wire("v.y", "b.y"));
  EXPECT_NEAR(trial["b.covariance"].at(0, 0), 10 - 0.1 * 0.1 / (0.5 + 0.005), 1e-9);
}

TEST(Edges, ASawtoothFallsAtItsPeriodThoughTheQuotientIsADigitBelow) {
  ASSERT_LT(0.3 / 0.1, 3);
  const Trial trial = sound_trial(R"(<block name="b" type="sources/Triangle" amplitude="1" repeat="0.1 s" rise="1"/>)",
                                  {.duration = 0.4});
  EXPECT_EQ(trial["b.y"].at(300), -1);
  EXPECT_NEAR(trial["b.y"].at(299), 0.98, 1e-9);
}

TEST(Edges, ATrajectoryArrivesInTheTickOfItsLastTimeThoughThatIsADigitLater) {
  const Trial trial =
      sound_trial(R"(<block name="b" type="sources/Trajectory" times="0 0.30000000000000004 s" points="0 1;"/>)",
                  {.duration = 0.4});
  EXPECT_EQ(trial["b.arrived"].at(299), 0);
  EXPECT_EQ(trial["b.arrived"].at(300), 1);
}

TEST(Edges, NoRegisterOfABinarySequenceStandsStill) {
  std::string ones;
  for (int i = 0; i < 60; ++i) ones += "1 ";
  const Trial trial = sound_trial("<block name=\"b\" type=\"sources/Prbs\" order=\"2\" amplitude=\"" + ones + "\"/>");
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_EQ(trial["b.y"].at(0, i) + trial["b.y"].at(1, i) + trial["b.y"].at(2, i), 1) << i;
}

} // namespace
} // namespace hilda::test
