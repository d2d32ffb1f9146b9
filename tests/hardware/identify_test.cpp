// SPDX-License-Identifier: BSD-3-Clause
// Identification of a robot's lag and a sensor's delay, on motions whose truth is known.

#include "engine/analysis/follow.h"
#include "tests/modules.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <vector>

namespace hilda::test {
namespace {

constexpr double pi = std::numbers::pi, period = 4e-3;

/// Back and forth with growing frequency, 0.5 to 15 Hz in ten seconds, the stroke kept to 0.1 m/s and 2 m/s2.
double command(double t) {
  if (t <= 0.3 || t >= 10.3) return 0.0;
  const double s = t - 0.3, w = 2 * pi * (0.5 + 1.45 * s);
  const double stroke = 1 / std::sqrt(std::sqrt(std::pow(200.0, 4) + std::pow(w / 0.1, 4) + std::pow(w * w / 2, 4)));
  const double x = std::min(1.0, std::min(s, 10 - s) / 0.5), window = x * x * (3 - 2 * x);
  return window * stroke * std::sin(2 * pi * (0.5 * s + 0.725 * s * s));
}

/// A robot goes straight from one command to the next.
double straight(double t) {
  static const std::vector<double> commands = [] {
    std::vector<double> samples;
    for (int k = 0; k < 2800; ++k) samples.push_back(command(k * period));
    return samples;
  }();
  const double at = std::max(0.0, t / period), k = std::floor(at);
  const auto left = commands.begin() + static_cast<std::ptrdiff_t>(k);
  return left[0] + (at - k) * (left[1] - left[0]);
}

struct Truth {
  double dead_time, frequency = 0, damping = 0; ///< s, Hz
  double position_noise = 5e-6, force_noise = 0.3, sensor_delay = 0, mass = 0;
  unsigned seed = 1;
};

struct Motion {
  FollowRecord record;
  std::vector<double> force;
};

/// The truth in steps of 20 us, sampled every period; force of the payload as a sensor says it, weight taken off.
Motion move(const Truth& truth) {
  constexpr double h = 2e-5;
  constexpr int per_sample = 200;
  std::mt19937 random(truth.seed);
  std::normal_distribution<double> normal;
  Motion motion;
  motion.record.period = period;
  std::vector<double> accelerations;
  double x = 0, v = 0;
  const double wn = 2 * pi * truth.frequency;
  for (int i = 0; i < 2700 * per_sample; ++i) {
    const double t = i * h, u = straight(t - truth.dead_time), s = t - truth.dead_time;
    const double a = wn > 0 ? wn * wn * (u - x) - 2 * truth.damping * wn * v
                            : (command(s + 1e-4) - 2 * command(s) + command(s - 1e-4)) / 1e-8;
    accelerations.push_back(a);
    if (i % per_sample == 0) {
      motion.record.commanded.push_back(command(t));
      motion.record.actual.push_back((wn > 0 ? x : u) + truth.position_noise * normal(random));
      const int ago = i - static_cast<int>(std::lround(truth.sensor_delay / h));
      const double felt = ago >= 0 ? accelerations[static_cast<std::size_t>(ago)] : 0.0;
      motion.force.push_back(1.5 - truth.mass * felt + truth.force_noise * normal(random));
    }
    v += h * a; // semi-implicit Euler: of second order at this step for what is looked at here
    x += h * v;
  }
  return motion;
}

FollowEstimate identified(const Motion& motion) {
  std::string problem;
  FollowEstimate estimate = identify_follow(motion.record, problem);
  EXPECT_EQ(problem, "");
  return estimate;
}

class FollowingRobot : public testing::TestWithParam<Truth> {};

TEST_P(FollowingRobot, IsRecoveredWithinHalfAMillisecondAndFivePercent) {
  const Truth& truth = GetParam();
  const FollowEstimate found = identified(move(truth));
  ASSERT_TRUE(found.second_order);
  EXPECT_NEAR(found.dead_time.value, truth.dead_time, 0.5e-3);
  EXPECT_NEAR(found.natural_frequency.value / (2 * pi * truth.frequency), 1.0, 0.05);
  EXPECT_NEAR(found.damping_ratio.value / truth.damping, 1.0, 0.05);
  EXPECT_NEAR(found.gain.value, 1.0, 0.01);
  // The intervals hold the truth (twice their width leaves room for the one run in twenty that misses).
  EXPECT_LT(std::abs(found.dead_time.value - truth.dead_time), 2 * found.dead_time.half_width + 2e-5);
  EXPECT_LT(std::abs(found.natural_frequency.value - 2 * pi * truth.frequency),
            2 * found.natural_frequency.half_width + 0.1);
  EXPECT_LT(found.dead_time.half_width, 0.5e-3);
}

INSTANTIATE_TEST_SUITE_P(Robots, FollowingRobot,
                         testing::Values(Truth{0.0183, 12, 0.7}, Truth{0.0071, 25, 0.6}, Truth{0.0417, 6, 0.9},
                                         Truth{0.0125, 18, 0.4, 20e-6, 0.3, 0, 0, 5}),
                         [](const auto& each) {
                           return "of_" + std::to_string(std::lround(each.param.frequency)) + "_Hz";
                         });

TEST(Following, WithoutASecondOrderIsDeadTimeAlone) {
  const FollowEstimate found = identified(move({0.0217}));
  EXPECT_FALSE(found.second_order);
  EXPECT_NEAR(found.dead_time.value, 0.0217, 0.1e-3);
  EXPECT_DOUBLE_EQ(found.simulated_dead_time(period), found.dead_time.value);
}

TEST(Following, IntervalsHoldTheTruthNineteenTimesInTwenty) {
  int inside = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const FollowEstimate found = identified(move({0.0183, 12, 0.7, 50e-6, 0.3, 0, 0, seed}));
    inside += std::abs(found.dead_time.value - 0.0183) <= found.dead_time.half_width ? 1 : 0;
  }
  EXPECT_GE(inside, 8);
}

TEST(Following, ALostCycleDoesNotSpoilTheMeasurement) {
  Motion motion = move({0.0183, 12, 0.7});
  for (std::size_t k = 900; k < 906; ++k) motion.record.actual[k] += 4e-4;
  const FollowEstimate found = identified(motion);
  EXPECT_EQ(found.left_out, 6u);
  EXPECT_NEAR(found.dead_time.value, 0.0183, 0.1e-3);
  EXPECT_LT(found.residual, 6e-6);
}

TEST(Following, AWholeSecondOfLostCyclesDoesNotHideTheSecondOrderOfACleanRobot) {
  Motion motion = move({0.0183, 25, 0.7, 1e-9});
  for (const std::size_t at : {500u, 900u, 1300u, 1700u, 2100u})
    for (std::size_t k = at; k < at + 30; ++k)
      motion.record.actual[k] += 2e-4 * std::exp(-0.1 * static_cast<double>(k - at));
  const FollowEstimate found = identified(motion);
  ASSERT_TRUE(found.second_order);
  EXPECT_NEAR(found.dead_time.value, 0.0183, 0.2e-3);
  EXPECT_NEAR(found.natural_frequency.value / (2 * pi * 25), 1, 0.02);
}

TEST(Following, RecordsThatDoNotTellAreRefused) {
  std::string problem;
  Motion motion = move({0.0183, 12, 0.7});
  FollowRecord still = motion.record;
  std::fill(still.actual.begin(), still.actual.end(), 0.001);
  identify_follow(still, problem);
  EXPECT_NE(problem.find("did not follow"), std::string::npos) << problem;

  FollowRecord quiet = motion.record;
  std::fill(quiet.commanded.begin(), quiet.commanded.end(), 0.0);
  identify_follow(quiet, problem);
  EXPECT_NE(problem.find("hardly moved"), std::string::npos) << problem;

  FollowRecord brief = motion.record;
  brief.commanded.resize(50), brief.actual.resize(50);
  identify_follow(brief, problem);
  EXPECT_NE(problem.find("fewer than 100"), std::string::npos) << problem;

  FollowRecord stopped = motion.record;
  for (std::size_t k = 800; k < stopped.actual.size(); ++k) stopped.actual[k] = stopped.actual[800] + 0.002;
  identify_follow(stopped, problem);
  EXPECT_NE(problem.find("unexplained"), std::string::npos) << problem;
}

TEST(SensorDelay, FollowsFromThePayloadsInertia) {
  for (const double delay : {0.0, 0.0024, 0.0073}) {
    const Motion motion = move({0.0183, 12, 0.7, 5e-6, 0.3, delay, 2.5});
    const SensorEstimate found = identify_sensor(motion.record, identified(motion), motion.force);
    ASSERT_TRUE(found.known);
    EXPECT_NEAR(found.delay.value, delay, 0.5e-3);
    EXPECT_LT(std::abs(found.delay.value - delay), 2 * found.delay.half_width + 2e-5);
    EXPECT_NEAR(found.mass.value / 2.5, 1.0, 0.05);
  }
}

TEST(SensorDelay, IsDoubtedWhereAnotherPayloadExplainsTheForceOrTheForceIsAhead) {
  const SensorEstimate sound{true, {2e-3, 1e-4}, {2.05, 0.02}, 0.1};
  EXPECT_EQ(doubt(sound, 2.0), "");
  EXPECT_EQ(doubt(sound, std::nullopt), "");
  EXPECT_THAT(doubt({true, {2e-3, 1e-4}, {11.9, 0.3}, 0.1}, 2.0),
              testing::HasSubstr("a payload of 11.9 kg explains the force, the rig's payload_mass is 2 kg"));
  EXPECT_THAT(doubt(sound, 0.0), testing::HasSubstr("is 0 kg"));
  EXPECT_THAT(doubt({true, {-2.1e-3, 1e-4}, {2, 0.02}, 0.1}, 2.0), testing::HasSubstr("2.1 ms ahead"));
  EXPECT_EQ(doubt({true, {-0.05e-3, 1e-4}, {2, 0.02}, 0.1}, 2.0), "") << "within its interval of 0";
  EXPECT_EQ(doubt({false, {-2.1e-3, 1e-4}, {11, 0.02}, 0.1}, 2.0), "") << "unknown, and said to be";
}

TEST(SensorDelay, IsFoundToATwentiethOfAMillisecondAndItsIntervalHoldsTheTruth) {
  // Over true values, robots and noises: what the position's noise leaves open of the robot is part of the interval.
  int inside = 0, all = 0;
  for (const double frequency : {12.0, 25.0})
    for (const double delay : {0.0, 0.0011, 0.0024, 0.0073}) {
      const auto seed = static_cast<unsigned>(++all);
      const Motion motion = move({0.0183, frequency, 0.7, 5e-6, 0.05, delay, 2.5, seed});
      const SensorEstimate found = identify_sensor(motion.record, identified(motion), motion.force);
      ASSERT_TRUE(found.known);
      EXPECT_LT(std::abs(found.delay.value - delay), 0.05e-3) << frequency << " Hz, " << delay;
      EXPECT_LT(found.delay.half_width, 0.05e-3);
      inside += std::abs(found.delay.value - delay) <= found.delay.half_width + 0.005e-3 ? 1 : 0;
    }
  EXPECT_GE(inside, all - 2);
}

TEST(SensorDelay, KnowsWhatThePositionsNoiseLeavesOpen) {
  // A clean force and a noisy position: fitted to a motion that was fitted before, the delay would claim microseconds.
  int inside = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const Motion motion = move({0.0183, 25, 0.7, 20e-6, 1e-3, 0.0024, 2.5, seed});
    const SensorEstimate found = identify_sensor(motion.record, identified(motion), motion.force);
    inside += std::abs(found.delay.value - 0.0024) <= found.delay.half_width + 0.005e-3 ? 1 : 0;
  }
  EXPECT_GE(inside, 5);
}

TEST(SensorDelay, IsUnknownWithoutAPayload) {
  const Motion motion = move({0.0183, 12, 0.7});
  EXPECT_FALSE(identify_sensor(motion.record, identified(motion), motion.force).known);
}

} // namespace
} // namespace hilda::test
