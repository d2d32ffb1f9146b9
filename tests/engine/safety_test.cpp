// SPDX-License-Identifier: BSD-3-Clause
// The gate before what moves: whatever is asked for, what passes keeps every limit, in value, rate and acceleration,
// also on the ramp.
#include "engine/run/detail/safety/motion_gate.h"
#include "tests/modules.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace hilda::test {
namespace {

constexpr double period = 1e-3;

MotionLimits tight() {
  MotionLimits limits;
  limits.most[MotionLimits::position] = 0.1;
  limits.most[MotionLimits::rotation] = 0.4;
  limits.most[MotionLimits::speed] = 0.5;
  limits.most[MotionLimits::angular_speed] = 1;
  limits.most[MotionLimits::acceleration] = 20;
  limits.most[MotionLimits::angular_acceleration] = 50;
  limits.stop_time = 0.02;
  return limits;
}

double angle(const double* q) {
  return 2 * std::atan2(std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), std::abs(q[0]));
}

/// Follows what a pose gate lets through and checks it against its limits.
struct Witness {
  std::array<double, 3> last{}, velocity{};
  int samples = 0;
  void look(const MotionGate& gate, const MotionLimits& limits) {
    const std::vector<double>& p = gate.passed();
    double speed = 0, acceleration = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(p[i]), limits[MotionLimits::position] * (1 + 1e-9));
      const double v = samples > 0 ? (p[i] - last[i]) / period : 0;
      const double a = samples > 1 ? (v - velocity[i]) / period : 0;
      speed += v * v, acceleration += a * a;
      last[i] = p[i], velocity[i] = v;
    }
    EXPECT_LE(std::sqrt(speed), limits[MotionLimits::speed] * (1 + 1e-6));
    EXPECT_LE(std::sqrt(acceleration), limits[MotionLimits::acceleration] * (1 + 1e-6));
    EXPECT_LE(angle(p.data() + 3), limits[MotionLimits::rotation] * (1 + 1e-6));
    ++samples;
  }
};

TEST(MotionGate, KeepsEveryLimitOfAPoseWhateverIsAskedFor) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int run = 0; run < 200; ++run) {
    MotionGate gate;
    const MotionLimits limits = tight();
    gate.bind(HILDA_POSE, 7, period, limits);
    Witness witness;
    std::array<double, 7> asked{0, 0, 0, 1, 0, 0, 0};
    std::array<double, 3> v{};
    bool stopping = false;
    for (int k = 0; k < 600; ++k) {
      // a smooth wander that in time breaks some limit, and now and then a jump, a NaN or an infinity
      for (std::size_t i = 0; i < 3; ++i) {
        v[i] += (k < 2 ? 0 : 0.01) * normal(random);
        asked[i] += v[i] * period;
      }
      const double turn = 0.0004 * k * (run % 3);
      asked[3] = std::cos(turn / 2), asked[4] = std::sin(turn / 2);
      if (run % 5 == 1 && k == 300) asked[0] += 1;
      if (run % 5 == 2 && k == 300) asked[1] = std::numeric_limits<double>::quiet_NaN();
      if (run % 5 == 3 && k == 300) asked[2] = std::numeric_limits<double>::infinity();
      if (!stopping && !gate.pass(asked.data())) {
        stopping = true;
        gate.begin_stop();
      }
      if (stopping) gate.ramp();
      witness.look(gate, limits);
    }
    if (run % 5 == 1 || run % 5 == 2 || run % 5 == 3) {
      EXPECT_TRUE(stopping);
      EXPECT_TRUE(gate.at_rest());
    }
  }
}

TEST(MotionGate, AMotionWithinTheLimitsPassesToTheBit) {
  MotionGate gate;
  gate.bind(HILDA_POSE, 7, period, tight());
  for (int k = 0; k < 1000; ++k) {
    const double x = 0.05 * std::sin(2 * k * period);
    const std::array<double, 7> asked{x, 0, 0, 1, 0, 0, 0};
    ASSERT_TRUE(gate.pass(asked.data())) << k << ' ' << gate.violation().asked;
    EXPECT_EQ(gate.passed()[0], x);
  }
}

TEST(MotionGate, NamesTheLimitThatIsBroken) {
  MotionGate gate;
  MotionLimits limits;
  limits.most[MotionLimits::speed] = 0.2;
  gate.bind(HILDA_TWIST, 6, period, limits);
  const std::array<double, 6> slow{0.1, 0.1, 0, 0, 0, 0}, fast{0.2, 0.1, 0, 0, 0, 0};
  EXPECT_TRUE(gate.pass(slow.data()));
  EXPECT_FALSE(gate.pass(fast.data()));
  EXPECT_EQ(gate.violation().limit, MotionLimits::speed);
  EXPECT_NEAR(gate.violation().asked, std::sqrt(0.05), 1e-12);
  EXPECT_EQ(gate.passed()[0], 0.1) << "the last good value is held";
}

TEST(MotionGate, RampsOtherSignalsToRest) {
  MotionLimits limits;
  limits.most[MotionLimits::magnitude] = 3;
  limits.most[MotionLimits::rate] = 100;
  limits.stop_time = 0.01;
  MotionGate gate;
  gate.bind(HILDA_PLAIN, 2, period, limits);
  std::array<double, 2> asked{0, 0};
  int k = 0;
  for (; gate.pass(asked.data()); ++k) asked[0] += 0.05;
  EXPECT_EQ(gate.violation().limit, MotionLimits::magnitude);
  gate.begin_stop();
  double before = gate.passed()[0];
  while (!gate.at_rest()) {
    gate.ramp();
    EXPECT_LE(gate.passed()[0], 3.0);
    EXPECT_GE(gate.passed()[0], before);
    before = gate.passed()[0];
  }
}

} // namespace
} // namespace hilda::test
