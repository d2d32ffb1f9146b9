// SPDX-License-Identifier: BSD-3-Clause
// The limit of jerk: what passes keeps it, on the ramp to rest and while lost samples are caught up with, too.

#include "engine/run/detail/safety/motion_gate.h"
#include "tests/engine/motion_attack.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

constexpr double tick_length = 1e-3;

struct JerkSubject {
  const char* name;
  hilda_kind kind;
};

/// 0.2 m/s, 4 m/s2; a stop takes as long as the accelerations ask for.
L limits_with(double jerk) {
  L limits;
  for (const L::Kind speed : {L::speed, L::angular_speed, L::rate}) limits.most[speed] = 0.2;
  for (const L::Kind acceleration : {L::acceleration, L::angular_acceleration}) limits.most[acceleration] = 4;
  for (const L::Kind each : {L::jerk, L::angular_jerk}) limits.most[each] = jerk;
  for (const L::Kind range : {L::position, L::rotation, L::magnitude}) limits.most[range] = 1;
  limits.stop_time = 0.001;
  return limits;
}

/// A sine on one line that grows from rest: speed, acceleration and jerk reach 0.15, 1.5 and 15.
Values sine(hilda_kind kind, int k) {
  const double t = k * tick_length, w = 10, grown = std::min(1.0, t / 2), s = grown * grown * (3 - 2 * grown);
  const double way = 0.015 * s * std::sin(w * t);
  Values value(elements_of(kind), 0.0);
  if (kind == HILDA_POSE) {
    value[0] = 0.6 * way, value[1] = 0.8 * way;
    value[3] = std::cos(way / 2), value[6] = std::sin(way / 2);
  } else if (kind == HILDA_TWIST) {
    value[1] = value[5] = 10 * way;
  } else {
    value[0] = way, value[2] = -way;
  }
  return value;
}

struct Jerk : ::testing::TestWithParam<JerkSubject> {};

TEST_P(Jerk, IsKeptOnTheRampFromAnyMotion) {
  for (const double jerk : {20.0, 100.0, 3000.0})
    for (int stop_at = 1; stop_at < 3000; stop_at += 37) {
      const L limits = limits_with(jerk);
      MotionGate gate;
      gate.bind(GetParam().kind, elements_of(GetParam().kind), tick_length, limits, true);
      const Values rest = sine(GetParam().kind, 0);
      ASSERT_TRUE(gate.start_at(rest.data()));
      Witness witness(GetParam().kind, tick_length, limits);
      witness.rest_at(rest);
      int k = 1;
      for (; k <= stop_at; ++k) {
        ASSERT_TRUE(gate.pass(sine(GetParam().kind, k).data()))
            << L::names[gate.violation().limit] << gate.violation().asked << ", sample " << k;
        ASSERT_TRUE(witness.keeps(gate.passed())) << witness.error << ", sample " << k;
      }
      gate.begin_stop();
      for (int end = k + 20000; !gate.at_rest(); ++k) {
        ASSERT_LT(k, end) << "it never comes to rest";
        gate.ramp();
        ASSERT_TRUE(witness.keeps(gate.passed())) << witness.error << ", sample " << k << " of " << jerk;
      }
      const Values last = gate.passed(); // the acceleration has gone, too
      for (int more = 0; more < 2; ++more) ASSERT_TRUE(witness.keeps(last)) << witness.error;
    }
}

TEST_P(Jerk, IsKeptWhileLostSamplesAreCaughtUpWith) {
  for (const int lost : {1, 3, 10, 40}) {
    const L limits = limits_with(60);
    MotionGate gate;
    gate.bind(GetParam().kind, elements_of(GetParam().kind), tick_length, limits, true);
    const Values rest = sine(GetParam().kind, 0);
    ASSERT_TRUE(gate.start_at(rest.data()));
    Witness witness(GetParam().kind, tick_length, limits);
    witness.rest_at(rest);
    Values asked;
    for (int k = 1; k < 12000; ++k) {
      asked = sine(GetParam().kind, k);
      if (k % 1500 < lost && k < 6000) {
        ASSERT_TRUE(gate.miss(asked.data())) << k;
        continue;
      }
      ASSERT_TRUE(gate.pass(asked.data()))
          << L::names[gate.violation().limit] << ' ' << gate.violation().asked << ", sample " << k << ", lost " << lost;
      ASSERT_TRUE(witness.keeps(gate.passed())) << witness.error << ", sample " << k << ", lost " << lost;
    }
    EXPECT_EQ(gate.passed(), asked) << "not caught up, lost " << lost;
  }
}

TEST_P(Jerk, ThatIsTooLargeIsRefusedAndNamed) {
  MotionGate gate;
  gate.bind(GetParam().kind, elements_of(GetParam().kind), tick_length, limits_with(5), true);
  ASSERT_TRUE(gate.start_at(sine(GetParam().kind, 0).data()));
  int k = 1;
  while (k < 3000 && gate.pass(sine(GetParam().kind, k).data())) ++k;
  ASSERT_LT(k, 3000);
  EXPECT_TRUE(gate.violation().limit == L::jerk || gate.violation().limit == L::angular_jerk);
  EXPECT_EQ(gate.violation().allowed, 5);
  EXPECT_GT(gate.violation().asked, 5);
}

/// A speed that the acceleration still leads beyond its limit before it can end.
TEST(JerkOfATwist, LeavesRoomForTheAccelerationToEnd) {
  MotionGate gate;
  const L limits = limits_with(20);
  gate.bind(HILDA_TWIST, 6, tick_length, limits, true);
  Values asked(6, 0.0);
  ASSERT_TRUE(gate.start_at(asked.data()));
  double acceleration = 0;
  int k = 0;
  do acceleration += 20 * tick_length, asked[0] += acceleration * tick_length;
  while (++k < 1000 && gate.pass(asked.data()));
  EXPECT_EQ(gate.violation().limit, L::speed);
  EXPECT_LT(asked[0], 0.12); // half of the limit is for the way back to no acceleration
}

/// Without a limit of jerk a ramp jumps by the whole acceleration.
TEST(JerkOfATwist, IsFreeWhereItIsNotLimited) {
  MotionGate gate;
  gate.bind(HILDA_TWIST, 6, tick_length, limits_with(std::numeric_limits<double>::infinity()), true);
  Values asked(6, 0.0);
  ASSERT_TRUE(gate.start_at(asked.data()));
  for (int k = 0; k < 20; ++k) {
    asked[0] += 0.003;
    ASSERT_TRUE(gate.pass(asked.data()));
  }
  ASSERT_TRUE(gate.pass(asked.data()));
  gate.begin_stop();
  const double before = gate.passed()[0];
  gate.ramp();
  EXPECT_GT((before - gate.passed()[0]) / tick_length, 3.5);
}

INSTANTIATE_TEST_SUITE_P(Each, Jerk,
                         ::testing::Values(JerkSubject{"pose", HILDA_POSE}, JerkSubject{"twist", HILDA_TWIST},
                                           JerkSubject{"plain", HILDA_PLAIN}),
                         [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace hilda::test
