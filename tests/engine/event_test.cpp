// SPDX-License-Identifier: BSD-3-Clause
// Crossings that are located where a step is variable: limits, switches, resets, and what goes wrong with them.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

RuntimeOptions located(double tolerance, SolverKind kind = SolverKind::dopri5) {
  RuntimeOptions options;
  options.solver.kind = kind;
  options.solver.rtol = tolerance;
  options.solver.atol = tolerance;
  return options;
}

const VariableStep& solver_of(Loop& loop) { return *loop.runtime().solver().variable(); }

/// cos(t) through a block `b` into an integrator `z`.
std::string swing_through(const std::string& block, const std::string& out = "b.y", const std::string& in = "b.u") {
  return "<block name='x' type='continuous/Integrator' initial='1'/>"
         "<block name='v' type='continuous/Integrator'/>"
         "<block name='pull' type='math/Gain' gain='-1 1/s2'/>"
         "<connect from='x.y' to='pull.u'/><connect from='pull.y' to='v.u'/><connect from='v.y' to='x.u'/>"
         "<block name='z' type='continuous/Integrator'/>" +
         block + "<connect from='x.y' to='" + in + "'/><connect from='" + out + "' to='z.u'/>\n";
}

/// A wall that takes cos(t) beyond 0.5 m with a damper: it is let go where the damper would pull.
const std::string wall = "<block name='b' type='emulation/CompliantWall' place='0.5 m' stiffness='1 N/m' "
                         "damping='0.5 N s/m'/><connect from='v.y' to='b.xd'/>";
double wall_push() {
  const double away = std::acos(0.5 / std::sqrt(1.25)) - std::atan(0.5);
  return -(std::sin(away) - 0.5 * away + 0.5 * (std::cos(away) - 1));
}

/// The same plane at 0.5 m, and another at -0.5 m.
const std::string planes =
    "<block name='b' type='contact/Wall' gap='1 m' stiffness='1 N/m' damping='0.5 N s/m'/><block name='place' "
    "type='routing/Mux' inputs='2'/><block name='speed' type='routing/Mux' inputs='2'/><block name='p' "
    "type='sources/Constant' value='0 0 m'/><block name='q' type='sources/Constant' value='0 0 m/s'/>"
    "<connect from='p.y' to='place.u[1]'/><connect from='q.y' to='speed.u[1]'/><connect from='v.y' to='speed.u[0]'/>"
    "<connect from='place.y' to='b.position'/><connect from='speed.y' to='b.velocity'/>";
double planes_push() {
  const auto pressed = [](double t) { return std::sin(t) + 0.5 * t + 0.5 * std::cos(t); };
  return -wall_push() + pressed(3) - pressed(2 * M_PI / 3);
}

/// A room with something in the way of cos(t), along x or about it.
std::string room(const std::string& walls, bool turns) {
  const std::string moved = turns ? "pose.rotation" : "pose.position", rest = turns ? "pose.position" : "pose.rotation";
  const std::string rate = turns ? "twist.angular" : "twist.linear", still = turns ? "twist.linear" : "twist.angular";
  const std::string unit = turns ? "rad" : "m", other = turns ? "m" : "rad";
  return "<block name='b' type='contact/VirtualRoom' stiffness='1 N/m' damping='0.5 N s/m' rotational_stiffness='1 N "
         "m/rad' "
         "rotational_damping='0.5 N m s/rad' " +
         walls +
         "/><block name='place' type='routing/Mux'/><block name='speed' type='routing/Mux'/><block name='pose' "
         "type='kinematics/MakePose'/><block name='twist' type='kinematics/MakeTwist'/>"
         "<block name='p' type='sources/Constant' value='0 0 " +
         unit + "'/><block name='q' type='sources/Constant' value='0 0 " + unit +
         "/s'/><block name='r' type='sources/Constant' value='0 0 0 " + other +
         "'/><block name='s' type='sources/Constant' value='0 0 0 " + other +
         "/s'/><connect from='p.y' to='place.u[1]'/><connect from='q.y' to='speed.u[1]'/>"
         "<connect from='v.y' to='speed.u[0]'/><connect from='place.y' to='" +
         moved + "'/><connect from='speed.y' to='" + rate + "'/><connect from='r.y' to='" + rest +
         "'/><connect from='s.y' to='" + still +
         "'/><connect from='pose.pose' to='b.pose'/><connect from='twist.twist' to='b.twist'/>";
}

struct Kink {
  const char* name;
  std::string body;
  double integral; ///< of the block's output from 0 to 3 s
};

std::vector<Kink> kinks() {
  const double pi = M_PI;
  return {
      {"saturation", swing_through("<block name='b' type='math/Saturation' lower='-0.5' upper='0.5'/>"), pi / 2 - 1.5},
      {"dead zone", swing_through("<block name='b' type='math/DeadZone' lower='-0.5' upper='0.5'/>"),
       std::sin(3.0) + 1.5 - pi / 2},
      {"abs", swing_through("<block name='b' type='math/Abs'/>"), 2 - std::sin(3.0)},
      {"friction", swing_through("<block name='b' type='math/Friction' coulomb='1'/>", "b.force", "b.v"), pi - 3},
      {"sign", swing_through("<block name='b' type='math/Sign'/>"), pi - 3},
      {"compare",
       swing_through("<block name='c' type='math/Compare' operation='greater' with='0.5'/>"
                     "<block name='b' type='math/BoolToReal'/><connect from='c.y' to='b.u'/>",
                     "b.y", "c.a"),
       pi / 3},
      {"maximum",
       swing_through("<block name='half' type='sources/Constant' value='0.5'/><block name='b' type='math/MinMax' "
                     "operation='max'/><connect from='half.y' to='b.u[1]'/>",
                     "b.y", "b.u[0]"),
       std::sqrt(3.0) / 2 + 0.5 * (3 - pi / 3)},
      {"relay",
       swing_through("<block name='b' type='discrete/Relay' sample_time='continuous' lower='-0.5' upper='0.5'/>"),
       2 * pi / 3},
      {"quantizer", swing_through("<block name='b' type='math/Quantizer' step='0.5'/>"),
       0.5 * (std::acos(0.75) + std::acos(0.25) + std::acos(-0.25) + std::acos(-0.75)) - 3},
      {"table", swing_through("<block name='b' type='math/LookupTable' x='-0.5 0 0.5' values='2 0 1'/>"),
       pi / 3 + 6 * (1 - std::sqrt(0.75)) + 2 * (3 - 2 * pi / 3)},
      {"table with its last lines",
       swing_through("<block name='b' type='math/LookupTable' x='-0.5 0 0.5' values='2 0 1' outside='extrapolate'/>"),
       2 - 4 * (std::sin(3.0) - 1)},
      {"table of steps",
       swing_through("<block name='b' type='math/LookupTable' x='-0.5 0 0.5' values='2 0 1' interpolation='nearest'/>"),
       std::acos(0.25) + 2 * (3 - std::acos(-0.25))},
      {"clipped curve",
       swing_through("<block name='b' type='math/LookupTable' x='-0.5 -0.1 0.2 0.5' values='-0.5 -0.1 0.2 0.5' "
                     "interpolation='spline'/>"),
       pi / 2 - 1.5},
      {"switch",
       swing_through("<block name='c' type='math/Compare' operation='greater' with='0'/><block name='one' "
                     "type='sources/Constant' value='1'/><block name='other' type='sources/Constant' value='-1'/>"
                     "<block name='b' type='routing/Switch'/><connect from='one.y' to='b.when_true'/>"
                     "<connect from='other.y' to='b.when_false'/><connect from='c.y' to='b.condition'/>",
                     "b.y", "c.a"),
       pi - 3},
      {"wall", swing_through(wall, "b.force", "b.x"), wall_push()},
      {"walls of a room", swing_through(room("half_size='0.5 m'", false), "b.wrench.force.x", "place.u[0]"),
       -planes_push()},
      {"walls against turning",
       swing_through(room("rotational_half_size='0.5 rad'", true), "b.wrench.torque.x", "place.u[0]"), -planes_push()},
      {"a point against a plane",
       swing_through(room("normals='-1 0 0;' offsets='-0.5 m'", false), "b.wrench.force.x", "place.u[0]"), wall_push()},
      {"two planes", swing_through(planes, "b.on_wall.force.x", "place.u[0]"), planes_push()}};
}

TEST(Events, KinksAndJumpsCostNoAccuracy) {
  for (const Kink& kink : kinks())
    for (const SolverKind kind : variable_solvers()) {
      Loop loop(kink.body, located(1e-12, kind), "100 ms");
      loop.run(31);
      EXPECT_NEAR(loop.trace("z.y").at(30), kink.integral, 1e-10 * times_the_error(kind))
          << kink.name << ", " << solver_name(kind);
      EXPECT_GT(solver_of(loop).statistics().events, 0) << kink.name;
    }
}

TEST(Events, AFixedStepDoesNotSeeThem) {
  for (const Kink& kink : kinks()) {
    Loop loop(kink.body, {}, "100 ms");
    loop.run(31);
    EXPECT_GT(std::abs(loop.trace("z.y").at(30) - kink.integral), 1e-7) << kink.name;
  }
}

TEST(Events, AFixedStepLocatesThemWhereTheDiagramSaysSo) {
  for (const Kink& kink : kinks()) {
    double before = 1e-6;
    for (const int ticks : {300, 600}) { // RK4 alone errs by 1e-10 and a sixteenth of it
      Loop loop(kink.body, {}, std::to_string(3000000 / ticks) + " us\" events=\"located");
      loop.run(ticks + 1);
      const double error = std::abs(loop.trace("z.y").at(static_cast<std::size_t>(ticks)) - kink.integral);
      EXPECT_LT(error, std::max(before / 10, 3e-12)) << kink.name << ", " << ticks;
      before = error;
    }
    EXPECT_LT(before, 2e-10) << kink.name;
  }
}

TEST(Events, AnIntegralStandsStillAtItsLimitAndLeavesItAtOnce) {
  // x' = cos(t), limited to 0.5: constant from pi/6 to pi/2, then falls; at -0.5 it is constant again until 3 pi / 2
  const std::string body = "<block name='t' type='sources/Sine' amplitude='1' frequency='0.15915494309189535 Hz' "
                           "phase='1.5707963267948966 rad' sample_time='continuous'/>"
                           "<block name='x' type='continuous/Integrator' lower='-0.2' upper='0.5'/>"
                           "<block name='z' type='continuous/Integrator'/>"
                           "<connect from='t.y' to='x.u'/><connect from='x.y' to='z.u'/>";
  // x: sin(t), 0.5, sin(t) - 0.5, -0.2 from asin(0.3) on
  const double pi = M_PI, low = pi - std::asin(0.3);
  const double integral =
      (1 - std::cos(pi / 6)) + 0.5 * (pi / 2 - pi / 6) + (-std::cos(low) - 0.5 * (low - pi / 2)) - 0.2 * (4 - low);
  for (const std::string& period : {std::string("100 ms\" solver=\"dopri5\" rtol=\"1e-12\" atol=\"1e-12"),
                                    std::string("10 ms\" events=\"located")}) {
    const std::size_t end = period.starts_with("100") ? 40 : 400;
    Loop loop(body, {}, period);
    loop.run(static_cast<std::int64_t>(end) + 1);
    EXPECT_EQ(loop.trace("x.y").at(end), -0.2) << period;
    EXPECT_NEAR(loop.trace("z.y").at(end), integral, 1e-10) << period;
  }
}

TEST(Modes, AnIntegralBetweenEqualLimitsStands) {
  const std::string body = "<block name='u' type='sources/Sine' amplitude='1 1/s' frequency='10 rad/s' "
                           "sample_time='continuous'/><block name='x' type='continuous/Integrator' initial='0.5' "
                           "lower='0.5' upper='0.5'/><connect from='u.y' to='x.u'/>";
  for (const SolverKind kind : variable_solvers()) {
    RuntimeOptions options;
    options.solver.kind = kind;
    Loop loop(body, options, "10 ms");
    loop.run(101);
    EXPECT_EQ(loop.runtime().tick(), 101) << solver_name(kind) << ": " << loop.runtime().ending().text;
    EXPECT_EQ(loop.trace("x.y").back(), 0.5) << solver_name(kind);
  }
}

TEST(Events, AnIntegralIsSetWhileATriggerIsHigh) {
  // begins at 3, is held at 1 while sin(t) > 0, then grows by 1 a second from pi on
  const std::string body =
      "<block name='t' type='sources/Sine' amplitude='1' frequency='0.15915494309189535 Hz' "
      "phase='-0.5 rad' sample_time='continuous'/><block name='rate' type='sources/Constant' value='1 1/s'/>"
      "<block name='one' type='sources/Constant' value='1'/>"
      "<block name='three' type='sources/Constant' value='3'/>"
      "<block name='x' type='continuous/ResetIntegrator' reset_on='level' upper='4'/>"
      "<connect from='rate.y' to='x.u'/><connect from='t.y' to='x.trigger'/>"
      "<connect from='one.y' to='x.restart'/><connect from='three.y' to='x.start'/>";
  for (const std::string& period :
       {std::string("100 ms\" solver=\"dopri5"), std::string("100 ms\" events=\"located")}) {
    Loop loop(body, {}, period);
    loop.run(131);
    EXPECT_EQ(loop.trace("x.y").at(0), 3.0) << period;
    EXPECT_NEAR(loop.trace("x.y").at(4), 3.4, 1e-12) << period;
    EXPECT_NEAR(loop.trace("x.y").at(20), 1.0, 1e-12) << period;
    EXPECT_NEAR(loop.trace("x.y").at(50), 1 + 5 - (M_PI + 0.5), 1e-11) << period;
    EXPECT_NEAR(loop.trace("x.y").at(66), 1 + 6.6 - (M_PI + 0.5), 1e-11) << period;
    EXPECT_NEAR(loop.trace("x.y").at(95), 1.0, 1e-11) << period;
  }
}

/// A ball that falls from 1 m and keeps 0.9 of its speed.
const std::string ball = R"(<block name="x" type="continuous/Integrator" initial="1 m"/>
<block name="v" type="continuous/ResetIntegrator" reset_on="falling"/>
<block name="gravity" type="sources/Constant" value="-10 m/s2"/>
<block name="bounce" type="math/Gain" gain="-0.9"/>
<connect from="gravity.y" to="v.u"/><connect from="v.y" to="x.u"/><connect from="x.y" to="v.trigger"/>
<connect from="v.y" to="bounce.u"/><connect from="bounce.y" to="v.restart"/>
)";

/// Its height at t, from the formulas.
double height(double t) {
  double begin = 0, speed = 0, x = 1, fall = std::sqrt(0.2);
  for (; t > begin + fall; fall = 2 * speed / 10) {
    begin += fall;
    speed = 0.9 * std::abs(speed - 10 * fall);
    x = 0;
  }
  return x + speed * (t - begin) - 5 * (t - begin) * (t - begin);
}

TEST(Events, ABallBouncesTwentyTimesWithinAPicosecond) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(ball, located(1e-12, kind), "10 ms");
    loop.run(742); // the twentieth is at 7.41 s
    double worst = 0;
    for (std::size_t k = 0; k <= 741; ++k)
      worst = std::max(worst, std::abs(loop.trace("x.y").at(k) - height(0.01 * static_cast<double>(k))));
    EXPECT_EQ(solver_of(loop).statistics().events, 40) << "it leaves the floor as often as it falls on it";
    // a picosecond at 4 m/s; a Jacobian that is measured, and steps that remember, leave a little more
    EXPECT_LT(worst, kind == SolverKind::dopri5 ? 4e-12 : 4e-11 * times_the_error(kind)) << solver_name(kind);
  }
}

TEST(Events, AResetWithAFixedStepIsAtTheNextTick) {
  Loop loop(ball, {}, "1 ms");
  loop.run(1000);
  EXPECT_NEAR(loop.trace("x.y").at(700), height(0.7), 0.02);
}

TEST(Events, ACrossingThatBeginsAtZeroDoesNotFire) {
  Loop loop("<block name='x' type='continuous/Integrator'/><block name='v' type='continuous/Integrator' initial='1'/>"
            "<block name='pull' type='math/Gain' gain='-1 1/s2'/><block name='b' type='math/Sign'/>"
            "<connect from='x.y' to='pull.u'/><connect from='pull.y' to='v.u'/><connect from='v.y' to='x.u'/>"
            "<connect from='x.y' to='b.u'/>",
            located(1e-9), "100 ms");
  loop.run(31);
  EXPECT_EQ(solver_of(loop).statistics().events, 0);
  loop.run(3);
  EXPECT_EQ(solver_of(loop).statistics().events, 1); // at pi
}

TEST(Events, CrossingsOfBlocksThatLookThemselvesAreApproached) {
  const double omega = M_PI / 0.0311;
  Loop loop("<block name='x' type='continuous/Integrator' initial='-0.0503 m'/>"
            "<block name='v' type='continuous/Integrator' initial='1 m/s'/>"
            "<block name='wall' type='probes/Wall' stiffness='" +
                std::to_string(omega * omega) +
                " N/m'/><block name='a' type='math/Gain' gain='1 1/kg'/>"
                "<connect from='x.y' to='wall.x'/><connect from='wall.force' to='a.u'/>"
                "<connect from='a.y' to='v.u'/><connect from='v.y' to='x.u'/>",
            located(1e-11), "10 ms");
  loop.run(21);
  const double w = std::sqrt(std::stod(std::to_string(omega * omega)));
  EXPECT_NEAR(loop.trace("x.y").at(20), -(0.2 - 0.0503 - M_PI / w), 1e-9);
  EXPECT_EQ(solver_of(loop).statistics().events, 2);
}

TEST(Events, ChatteringNamesTheBlockAndWhatToDo) {
  Loop loop(R"(<block name="x" type="continuous/Integrator" initial="0.0105"/>
<block name="relay" type="probes/Relay"/>
<connect from="x.y" to="relay.x"/><connect from="relay.y" to="x.u"/>
)",
            located(1e-6));
  loop.run(31);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Ending::Kind::failed);
  EXPECT_EQ(ending.block, "relay");
  EXPECT_THAT(ending.text, HasSubstr("hysteresis"));
}

/// A ball that falls onto the floor, which sets it to 0, at the very end of a tick, as far as doubles tell, and hardly
/// bounces: the next step is so long that it ends below the floor, unless it is known that the ball has just come from
/// there.
TEST(Events, OfATicksEndAreRememberedByACheckpoint) {
  for (const SolverKind kind : variable_solvers())
    for (int i = 0; i < 24; ++i) {
      const double begin = 0.0625 - i * 0x1p-57; // 125 ms up to the last digit, or a little less
      const std::string body = fmt::format(
          "<block name='g' type='sources/Constant' value='-8 m/s2'/>"
          "<block name='v' type='continuous/ResetIntegrator' reset_on='falling'/>"
          "<block name='x' type='continuous/ResetIntegrator' initial='{:.20g} m' reset_on='falling'/>"
          "<block name='zero' type='sources/Constant' value='0 m'/><block name='bounce' type='math/Gain' gain='-0.01'/>"
          "<connect from='g.y' to='v.u'/><connect from='v.y' to='x.u'/><connect from='x.y' to='v.trigger'/>"
          "<connect from='x.y' to='x.trigger'/><connect from='zero.y' to='x.restart'/>"
          "<connect from='v.y' to='bounce.u'/><connect from='bounce.y' to='v.restart'/>",
          begin);
      Loop loop(body, located(1e-9, kind), "125 ms"), other(body, located(1e-9, kind), "125 ms");
      loop.run(1);
      const Checkpoint kept = loop.runtime().checkpoint();
      ASSERT_TRUE(other.runtime().restore(kept));
      EXPECT_EQ(other.runtime().checkpoint(), kept);
      loop.run(2), other.run(2);
      ASSERT_EQ(loop.bits(), other.bits()) << solver_name(kind) << " from " << i;
      EXPECT_EQ(loop.runtime().ending().text, other.runtime().ending().text) << solver_name(kind) << " from " << i;
    }
}

TEST(Events, AreTheSameFromACheckpointOn) {
  Loop loop(ball, located(1e-9), "10 ms"), other(ball, located(1e-9), "10 ms");
  loop.run(100);
  ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
  loop.run(200), other.run(200);
  EXPECT_EQ(loop.bits(), other.bits());
}

} // namespace
} // namespace hilda::test
