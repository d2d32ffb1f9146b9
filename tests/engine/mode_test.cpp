// SPDX-License-Identifier: BSD-3-Clause
// Modes: what blocks hold from event to event, with variable steps and with fixed ones whose events are located.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

RuntimeOptions precise(SolverKind kind, double tolerance = 1e-12) {
  RuntimeOptions options;
  options.solver.kind = kind;
  options.solver.rtol = tolerance;
  options.solver.atol = tolerance;
  return options;
}

/// The period, and what else the diagram's element says.
std::string located(const std::string& period) { return period + "\" events=\"located"; }

/// A mass of 1 kg at a spring of 1 N/m on a belt of 0.1 m/s; tests/engine/stick_slip_reference.py solves the same.
std::string belt(const std::string& friction) {
  return "<block name='x' type='continuous/Integrator'/>"
         "<block name='w' type='continuous/Integrator'/>"
         "<block name='speed' type='math/Bias' bias='0.1 m/s'/>"
         "<block name='spring' type='math/Gain' gain='-1 N/m'/>"
         "<block name='friction' type='math/Friction' " +
         friction +
         "/><block name='left' type='math/Sum' signs='+-'/><block name='mass' type='math/Gain' gain='1 1/kg'/>"
         "<connect from='w.y' to='speed.u'/><connect from='speed.y' to='x.u'/><connect from='x.y' to='spring.u'/>"
         "<connect from='w.y' to='friction.v'/><connect from='spring.y' to='friction.applied'/>"
         "<connect from='spring.y' to='left.u[0]'/><connect from='friction.force' to='left.u[1]'/>"
         "<connect from='left.y' to='mass.u'/><connect from='mass.y' to='w.u'/>\n";
}

const std::string sticky = "coulomb='0.5 N' breakaway='1 N' stribeck_velocity='0.1 m/s' viscous='0.05 N s/m'";
constexpr double place_at_60_s = 0.20149613883900; ///< four slips later; scipy's DOP853 and Radau agree to 4e-13

TEST(Modes, AMassOnABeltSticksAndSlips) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(belt(sticky), precise(kind), "100 ms");
    loop.run(601);
    EXPECT_NEAR(loop.trace("x.y").at(600), place_at_60_s, 1e-8) << solver_name(kind);
    EXPECT_NEAR(loop.trace("x.y").at(100), 1.0, 1e-12) << "until 10 s it sticks";
    EXPECT_EQ(loop.trace("friction.force").at(50), loop.trace("spring.y").at(50)) << "friction holds what is applied";
  }
}

TEST(Modes, AndWithFixedStepsWhereEventsAreLocated) {
  Loop loop(belt(sticky), {}, located("5 ms"));
  loop.run(12001);
  EXPECT_NEAR(loop.trace("x.y").at(12000), place_at_60_s, 1e-8);
  ASSERT_NE(loop.runtime().solver().located(), nullptr);
  EXPECT_GE(loop.runtime().solver().located()->statistics().events, 8);
}

TEST(Modes, WithoutDryFrictionTheBeltIsAnOscillator) {
  // nothing to stick with: x'' = -x - 0.05 x' + 0.05 * 0.1 from rest on the belt
  Loop loop(belt("coulomb='0 N' viscous='0.05 N s/m'"), precise(SolverKind::dopri5), "100 ms");
  loop.run(101);
  const double c = 0.025, s = std::sqrt(1 - c * c), rest = 0.005, t = 10;
  const double x = rest + std::exp(-c * t) * (-rest * std::cos(s * t) + (0.1 - c * rest) / s * std::sin(s * t));
  EXPECT_NEAR(loop.trace("x.y").at(100), x, 1e-10);
}

TEST(Modes, AMassThatIsPushedTooLittleStaysWhereItIs) {
  for (const std::string& period : {std::string("10 ms\" solver=\"dopri5"), located("10 ms")}) {
    Loop loop(
        "<block name='push' type='sources/Sine' amplitude='0.9 N' frequency='1 Hz' sample_time='continuous'/>"
        "<block name='friction' type='math/Friction' coulomb='1 N'/><block name='left' type='math/Sum' signs='+-'/>"
        "<block name='mass' type='math/Gain' gain='1 1/kg'/><block name='v' type='continuous/Integrator'/>"
        "<connect from='push.y' to='left.u[0]'/><connect from='push.y' to='friction.applied'/>"
        "<connect from='v.y' to='friction.v'/><connect from='friction.force' to='left.u[1]'/>"
        "<connect from='left.y' to='mass.u'/><connect from='mass.y' to='v.u'/>",
        {}, period);
    loop.run(301);
    EXPECT_EQ(loop.trace("v.y").at(300), 0.0);
  }
}

TEST(Modes, WhatSticksToASurfaceThatGathersSpeedIsAnErrorAndNotAtRest) {
  // Stuck, friction holds what is applied, which is nothing: the mass would stay while the belt moves away.
  for (const SolverKind kind : variable_solvers()) {
    Loop loop("<block name='belt' type='sources/Ramp' slope='1 m/s2' sample_time='continuous'/>"
              "<block name='none' type='sources/Constant' value='0 N'/>"
              "<block name='slip' type='math/Sum' signs='+-'/>"
              "<block name='friction' type='math/Friction' coulomb='1 N'/>"
              "<block name='mass' type='math/Gain' gain='-1 1/kg'/><block name='v' type='continuous/Integrator'/>"
              "<connect from='v.y' to='slip.u[0]'/><connect from='belt.y' to='slip.u[1]'/>"
              "<connect from='slip.y' to='friction.v'/><connect from='none.y' to='friction.applied'/>"
              "<connect from='friction.force' to='mass.u'/><connect from='mass.y' to='v.u'/>",
              precise(kind), "100 ms");
    loop.run(11);
    EXPECT_EQ(loop.runtime().ending().kind, Ending::Kind::failed) << solver_name(kind);
    EXPECT_THAT(loop.runtime().ending().text, HasSubstr("sticks, and yet its velocity grows"));
  }
}

TEST(Modes, AreTheSameFromACheckpointOn) {
  for (const std::string& period : {std::string("100 ms\" solver=\"dopri5\" rtol=\"1e-9"), located("100 ms")}) {
    Loop loop(belt(sticky), {}, period), other(belt(sticky), {}, period);
    loop.run(120); // slips
    ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
    loop.run(200), other.run(200);
    EXPECT_EQ(loop.bits(), other.bits());
  }
}

/// Drops from 1 m and keeps 0.9 of its speed: when it meets the floor for the n-th time.
double bounce(int n) {
  double t = std::sqrt(0.2), speed = std::sqrt(20.0);
  for (int i = 1; i < n; ++i) speed *= 0.9, t += 2 * speed / 10;
  return t;
}

TEST(Modes, ABallBouncesTwentyTimesWithFixedStepsToo) {
  Loop loop(R"(<block name="x" type="continuous/Integrator" initial="1 m"/>
<block name="v" type="continuous/ResetIntegrator" reset_on="falling"/>
<block name="gravity" type="sources/Constant" value="-10 m/s2"/>
<block name="bounce" type="math/Gain" gain="-0.9"/>
<connect from="gravity.y" to="v.u"/><connect from="v.y" to="x.u"/><connect from="x.y" to="v.trigger"/>
<connect from="v.y" to="bounce.u"/><connect from="bounce.y" to="v.restart"/>
)",
            {}, located("10 ms"));
  loop.run(742);
  // between two bounces v = v0 - 10 (t - tb), so each tick shows when the last bounce was
  double worst = 0;
  for (int n = 1; n <= 20; ++n) {
    const auto tick = static_cast<std::size_t>(std::ceil(bounce(n) * 100 + 1e-6));
    const double speed = std::sqrt(20.0) * std::pow(0.9, n), t = 0.01 * static_cast<double>(tick);
    if (t > bounce(n + 1)) continue;
    worst = std::max(worst, std::abs(t - (speed - loop.trace("v.y").at(tick)) / 10 - bounce(n)));
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_EQ(loop.runtime().solver().located()->statistics().events, 40);
}

TEST(Modes, ChatteringWithFixedStepsNamesTheBlock) {
  Loop loop(R"(<block name="x" type="continuous/Integrator" initial="0.0105"/>
<block name="relay" type="math/Sign"/><block name="push" type="math/Gain" gain="-1 1/s"/>
<connect from="x.y" to="relay.u"/><connect from="relay.y" to="push.u"/><connect from="push.y" to="x.u"/>
)",
            {}, located("1 ms"));
  loop.run(31);
  EXPECT_EQ(loop.runtime().ending().kind, Ending::Kind::failed);
  EXPECT_EQ(loop.runtime().ending().block, "relay");
  EXPECT_THAT(loop.runtime().ending().text, HasSubstr("hysteresis"));
}

} // namespace
} // namespace hilda::test
