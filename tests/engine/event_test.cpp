// Crossings that are located where a step is variable: limits, switches, resets, and what goes wrong with them.

#include "tests/engine/loop.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

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
       2 * pi / 3}};
}

TEST(Events, KinksAndJumpsCostNoAccuracy) {
  for (const Kink& kink : kinks())
    for (const SolverKind kind : {SolverKind::dopri5, SolverKind::rosenbrock}) {
      Loop loop(kink.body, located(1e-12, kind), "100 ms");
      loop.run(31);
      EXPECT_NEAR(loop.trace("z.y").at(30), kink.integral, 1e-10) << kink.name << ", " << solver_name(kind);
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
  for (const SolverKind kind : {SolverKind::dopri5, SolverKind::rosenbrock}) {
    Loop loop(ball, located(1e-12, kind), "10 ms");
    loop.run(742); // the twentieth is at 7.41 s
    double worst = 0;
    for (std::size_t k = 0; k <= 741; ++k)
      worst = std::max(worst, std::abs(loop.trace("x.y").at(k) - height(0.01 * static_cast<double>(k))));
    EXPECT_EQ(solver_of(loop).statistics().events, 40) << "it leaves the floor as often as it falls on it";
    // a picosecond at 4 m/s; rosenbrock's Jacobian is measured, which leaves a little more
    EXPECT_LT(worst, kind == SolverKind::dopri5 ? 4e-12 : 4e-11);
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

TEST(Events, AreTheSameFromACheckpointOn) {
  Loop loop(ball, located(1e-9), "10 ms"), other(ball, located(1e-9), "10 ms");
  loop.run(100);
  ASSERT_TRUE(other.runtime().restore(loop.runtime().checkpoint()));
  loop.run(200), other.run(200);
  EXPECT_EQ(loop.bits(), other.bits());
}

} // namespace
} // namespace hilda::test
