// SPDX-License-Identifier: BSD-3-Clause
// Continuous states: the orders of the methods, contacts within a step, and what discrete blocks see of minor steps.

#include "tests/engine/loop.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

/// dx/dt = v, dv/dt = -w^2 x with w = 20/s, from x = 1.
const std::string oscillator = R"(<block name="x" type="continuous/Integrator" initial="1"/>
<block name="v" type="continuous/Integrator"/>
<block name="pull" type="math/Gain" gain="-400 1/s2"/>
<block name="sum" type="math/Sum" signs="++"/>
<block name="push" type="sources/Constant" value="0 1/s2"/>
<connect from="x.y" to="pull.u"/>
<connect from="pull.y" to="sum.u[0]"/>
<connect from="push.y" to="sum.u[1]"/>
<connect from="sum.y" to="v.u"/>
<connect from="v.y" to="x.u"/>
)";

/// Error of x after 0.4 s at a step of 0.4 s / ticks.
double oscillator_error(SolverKind solver, int ticks) {
  RuntimeOptions options;
  options.solver = solver;
  Loop loop(oscillator, options, std::to_string(400000 / ticks) + " us");
  loop.run(ticks + 1);
  return std::abs(loop.trace("x.y").at(static_cast<std::size_t>(ticks)) - std::cos(20 * 0.4));
}

TEST(Solver, Rk4IsOfOrderFour) {
  const double coarse = oscillator_error(SolverKind::rk4, 100), fine = oscillator_error(SolverKind::rk4, 200);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.2) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-5);
}

TEST(Solver, EulerIsOfOrderOne) {
  const double coarse = oscillator_error(SolverKind::euler, 2000), fine = oscillator_error(SolverKind::euler, 4000);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.2) << coarse << " " << fine;
}

TEST(Solver, EulerIsTheFormula) {
  RuntimeOptions options;
  options.solver = SolverKind::euler;
  Loop loop(oscillator, options);
  loop.run(20);
  double x = 1, v = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(loop.trace("x.y").at(k), x) << k;
    const double next = x + 0.001 * v;
    v += 0.001 * (-400 * x);
    x = next;
  }
}

/// A mass of 1 kg flies at 1 m/s into a spring wall and comes back. Error of x at 0.2 s.
double bounce_error(const std::string& wall, int ticks) {
  // The wall is at x = 0. k = (pi / 0.0311 s)^2 kg, so that it touches for 31.1 ms; it starts 0.0503 m before.
  const double omega = M_PI / 0.0311;
  Loop loop("<block name='x' type='continuous/Integrator' initial='-0.0503 m'/>"
            "<block name='v' type='continuous/Integrator' initial='1 m/s'/>"
            "<block name='wall' type='probes/" +
                wall + "' stiffness='" + std::to_string(omega * omega) +
                " N/m'/>"
                "<block name='a' type='math/Gain' gain='1 1/kg'/>\n"
                "<connect from='x.y' to='wall.x'/><connect from='wall.force' to='a.u'/>"
                "<connect from='a.y' to='v.u'/><connect from='v.y' to='x.u'/>\n",
            {}, std::to_string(200000 / ticks) + " us");
  loop.run(ticks + 1);
  const double w = std::sqrt(std::stod(std::to_string(omega * omega)));
  const double away = 0.2 - 0.0503 - M_PI / w;
  return std::abs(loop.trace("x.y").at(static_cast<std::size_t>(ticks)) + away);
}

TEST(Crossing, KeepsTheOrderOfTheMethodThroughABounce) {
  const double coarse = bounce_error("Wall", 80), fine = bounce_error("Wall", 160), finest = bounce_error("Wall", 320);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.6) << coarse << " " << fine;
  EXPECT_NEAR(std::log2(fine / finest), 4, 0.6) << fine << " " << finest;
  EXPECT_LT(finest, 1e-8);
}

TEST(Crossing, IsWhatKeepsIt) { EXPECT_GT(bounce_error("SmoothWall", 320), 20 * bounce_error("Wall", 320)); }

/// The same mass against a wall of spring and damper, 100 rad/s and a damping ratio of 0.3. Error of x at 0.2 s.
double damped_bounce_error(int ticks) {
  const double natural = 100, ratio = 0.3;
  Loop loop("<block name='x' type='continuous/Integrator' initial='-0.0503 m'/>"
            "<block name='v' type='continuous/Integrator' initial='1 m/s'/>"
            "<block name='wall' type='probes/DampedWall' stiffness='10000 N/m' damping='60 N s/m'/>"
            "<block name='a' type='math/Gain' gain='1 1/kg'/>\n"
            "<connect from='x.y' to='wall.x'/><connect from='v.y' to='wall.v'/><connect from='wall.force' to='a.u'/>"
            "<connect from='a.y' to='v.u'/><connect from='v.y' to='x.u'/>\n",
            {}, std::to_string(200000 / ticks) + " us");
  loop.run(ticks + 1);
  const double contact = M_PI / (natural * std::sqrt(1 - ratio * ratio));
  const double away = std::exp(-ratio * natural * contact) * (0.2 - 0.0503 - contact);
  return std::abs(loop.trace("x.y").at(static_cast<std::size_t>(ticks)) + away);
}

TEST(Crossing, KeepsTheOrderWhereAForceJumps) {
  const double coarse = damped_bounce_error(80), fine = damped_bounce_error(160), finest = damped_bounce_error(320);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.5) << coarse << " " << fine;
  EXPECT_NEAR(std::log2(fine / finest), 4, 0.5) << fine << " " << finest;
}

TEST(Crossing, LosesNoTimeWhereSignsChatter) {
  Loop loop(R"(<block name="x" type="continuous/Integrator" initial="0.0105"/>
<block name="relay" type="probes/Relay"/>
<block name="one" type="sources/Constant" value="1"/>
<block name="time" type="continuous/Integrator"/>
<connect from="x.y" to="relay.x"/>
<connect from="relay.y" to="x.u"/>
<connect from="one.y" to="time.u"/>
)");
  loop.run(31);
  EXPECT_NEAR(loop.trace("x.y").at(10), 0.0005, 1e-12);
  EXPECT_NEAR(loop.trace("time.y").at(30), 0.030, 1e-12);
  EXPECT_NEAR(loop.trace("x.y").at(30), 0, 0.001);
}

TEST(MinorSteps, SeeDiscreteOutputsHeld) {
  Loop loop(R"(<block name="stairs" type="sources/Clock"/>
<block name="slope" type="sources/Clock" sample_time="continuous"/>
<block name="held" type="continuous/Integrator"/>
<block name="smooth" type="continuous/Integrator"/>
<connect from="stairs.time" to="held.u"/>
<connect from="slope.time" to="smooth.u"/>
)",
            {}, "10 ms");
  loop.run(51);
  double sum = 0;
  for (std::size_t k = 0; k <= 50; ++k) {
    const double t = static_cast<double>(k) / 100;
    EXPECT_NEAR(loop.trace("held.y").at(k), sum, 1e-14) << k;
    EXPECT_NEAR(loop.trace("smooth.y").at(k), t * t / 2, 1e-14) << k;
    sum += 0.01 * t;
  }
}

TEST(MinorSteps, RunContinuousBlocksAlone) {
  Loop loop(R"(<block name="x" type="continuous/Integrator" initial="1"/>
<block name="decay" type="math/Gain" gain="-1 1/s"/>
<block name="counted" type="probes/CallCounter"/>
<block name="discrete" type="probes/CallCounter" sample_time="1 ms"/>
<connect from="x.y" to="decay.u"/>
<connect from="decay.y" to="x.u"/>
<connect from="x.y" to="counted.u"/>
<connect from="x.y" to="discrete.u"/>
)");
  loop.run(10);
  EXPECT_EQ(loop.value("discrete.calls"), 10);
  EXPECT_EQ(loop.value("discrete.minor_calls"), 0);
  EXPECT_EQ(loop.value("counted.calls"), 10);
}

TEST(MinorSteps, LeaveTheOutputsOfTheTickAsTheyWere) {
  Loop loop(everything());
  loop.run(30);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(loop.runtime().compute());
    const std::vector<unsigned char> before = loop.bits();
    ASSERT_TRUE(loop.runtime().advance());
    ASSERT_EQ(loop.bits(), before) << k;
  }
}

TEST(Solver, CarriesContinuousStatesAtTheFastestRate) {
  // a slow discrete block in the loop: the plant is stepped at every base tick even so
  Loop loop(R"(<block name="fast" type="sources/Clock"/>
<block name="hold" type="discrete/ZeroOrderHold" sample_time="5 ms"/>
<block name="x" type="continuous/Integrator"/>
<connect from="fast.time" to="hold.u"/>
<connect from="hold.y" to="x.u"/>
)");
  loop.run(12);
  EXPECT_NEAR(loop.trace("x.y").at(11), 0.005 * 0.005 + 0.001 * 0.010, 1e-15);
}

} // namespace
} // namespace hilda::test
