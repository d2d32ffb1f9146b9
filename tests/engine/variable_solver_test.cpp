// SPDX-License-Identifier: BSD-3-Clause
// What every solver promises whose steps are as long as an error allows: same bits twice and from a checkpoint, a new
// beginning only where it is needed, trials taken back, the state that ends it.

#include "tests/engine/solvers.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

class VariableSolver : public ::testing::TestWithParam<SolverKind> {};

/// An oscillator whose stop begins a new branch of Abs at each of its zeros, next to the stairway.
const std::string events = oscillator + stairs.substr(0, stairs.find("<block name=\"x\"")) +
                           "<block name='size' type='math/Abs'/><block name='sum' type='continuous/Integrator'/>"
                           "<block name='steps' type='continuous/Integrator'/><connect from='x.y' to='size.u'/>"
                           "<connect from='size.y' to='sum.u'/><connect from='stairs.time' to='steps.u'/>\n";

TEST_P(VariableSolver, GivesTheSameBitsTwice) {
  const SolverKind kind = GetParam();
  Loop one(everything(), solver_options(kind, 1e-7, 1e-9)), other(everything(), solver_options(kind, 1e-7, 1e-9));
  for (int k = 0; k < 60; ++k) {
    one.run(1), other.run(1);
    ASSERT_EQ(one.bits(), other.bits()) << k;
  }
}

TEST_P(VariableSolver, MakesTheStepsAgainAfterACheckpoint) {
  const SolverKind kind = GetParam();
  for (const std::string& body : {oscillator, events, everything()})
    for (const int before : {1, 37, 100, 163}) {
      Loop loop(body, solver_options(kind, 1e-7, 1e-9)), untouched(body, solver_options(kind, 1e-7, 1e-9));
      loop.run(before), untouched.run(before);
      const Checkpoint kept = loop.runtime().checkpoint();
      std::vector<std::vector<unsigned char>> bits;
      for (int k = 0; k < 140; ++k) {
        loop.run(1), untouched.run(1);
        bits.push_back(loop.bits());
        ASSERT_EQ(bits.back(), untouched.bits()) << "a checkpoint that is taken changes nothing";
      }
      ASSERT_TRUE(loop.runtime().restore(kept));
      for (int k = 0; k < 140; ++k) {
        loop.run(1);
        ASSERT_EQ(loop.bits(), bits[static_cast<std::size_t>(k)]) << body << before << " " << k;
      }
      Loop fresh(body, solver_options(kind, 1e-7, 1e-9));
      ASSERT_TRUE(fresh.runtime().restore(kept));
      fresh.run(60);
      ASSERT_TRUE(fresh.runtime().restore(fresh.runtime().checkpoint())) << "one of a run that went back";
      fresh.run(80);
      EXPECT_EQ(fresh.bits(), bits.back()) << "in another runtime";
    }
}

TEST_P(VariableSolver, TakesBackATrialThatABlockObjectsTo) {
  // x' = 1 - x never reaches 1; long trial steps do
  const SolverKind kind = GetParam();
  Loop loop("<block name='x' type='continuous/Integrator'/><block name='s' type='probes/Sensitive'/>"
            "<block name='f' type='math/Function' expression='1 - u' sample_time='continuous'/>"
            "<connect from='x.y' to='s.u'/><connect from='s.y' to='f.u'/><connect from='f.y' to='x.u'/>",
            solver_options(kind, 1e-3, 1e-3), "100 ms");
  loop.run(50);
  EXPECT_EQ(loop.runtime().ending().kind, Ending::Kind::none) << loop.runtime().ending().text;
}

TEST_P(VariableSolver, SaysWhichStateItCannotCarryOn) {
  // x' = x^2 from 1 has a pole at 1 s
  const SolverKind kind = GetParam();
  Loop loop("<block name='x' type='continuous/Integrator' initial='1'/>"
            "<block name='f' type='math/Function' expression='u^2' sample_time='continuous'/>"
            "<connect from='x.y' to='f.u'/><connect from='f.y' to='x.u'/>",
            solver_options(kind, 1e-8, 1e-8), "100 ms");
  loop.run(50);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Ending::Kind::failed);
  EXPECT_EQ(ending.block, "x");
  EXPECT_THAT(ending.text, HasSubstr(std::string(solver_name(kind)) + " goes no further than t = "));
  EXPECT_THAT(ending.text, HasSubstr("'x.x'"));
}

TEST(ExplicitSolver, GivesUpOnAStiffEquationInWords) {
  Loop loop(
      "<block name='x' type='continuous/Integrator' initial='1'/><block name='f' type='math/Gain' gain='-1e12 1/s'/>"
      "<connect from='x.y' to='f.u'/><connect from='f.y' to='x.u'/>",
      solver_options(SolverKind::dopri5, 1e-6, 1e-9), "20 ms");
  loop.run(1);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, Ending::Kind::failed);
  EXPECT_EQ(ending.block, "x");
  EXPECT_THAT(ending.text, HasSubstr("dopri5 made 1000000 steps in one tick and got no further than t = "));
  EXPECT_THAT(ending.text, HasSubstr("solver=\"rosenbrock\""));
}

TEST_P(VariableSolver, BeginsAnewOnlyWhereADiscreteValueHasChanged) {
  const SolverKind kind = GetParam();
  Loop loop(stairs, solver_options(kind, 1e-9, 1e-9), "1 ms");
  loop.run(1001);
  const VariableStep& solver = *loop.runtime().solver().variable();
  EXPECT_EQ(solver.statistics().restarts, 10); // 1 s holds the tenth change
  ASSERT_EQ(solver.restart_causes().size(), 1u);
  EXPECT_EQ(solver.restart_causes().front().what, "stairs");
  EXPECT_NEAR(loop.trace("x.y").at(1000), 0.45, 1e-9);
}

/// Driven by time alone and by no state: a long step would miss it.
struct Driven {
  const char *name, *body;
  double end; ///< of x at 20 s
};
const std::vector<Driven> driven = {
    {"Pulse",
     "<block name='s' type='sources/Pulse' high='1.3' width='111.1 ms' repeat='1.0371 s' first='0.2222 s' "
     "sample_time='continuous'/><block name='x' type='continuous/Integrator'/><connect from='s.y' to='x.u'/>",
     2.83894},
    {"SineAndSign",
     "<block name='s' type='sources/Sine' amplitude='1' frequency='0.73 Hz' sample_time='continuous'/>"
     "<block name='r' type='math/Sign'/><block name='x' type='continuous/Integrator'/>"
     "<connect from='s.y' to='r.u'/><connect from='r.y' to='x.u'/>",
     0.547945205},
    {"FunctionOfTime",
     "<block name='one' type='sources/Constant' value='1'/><block name='r' type='math/Function' "
     "expression='(t &gt; 7.3 ? 1 : 0)*u' sample_time='continuous'/><block name='x' type='continuous/Integrator'/>"
     "<connect from='one.y' to='r.u'/><connect from='r.y' to='x.u'/>",
     12.7},
    {"EquationOfTime",
     "<block name='x' type='math/Equations'><output name='y'/><state name='q'/><parameter name='late' value='7.3 s'/>"
     "<parameter name='rate' value='1 1/s'/><equation is=\"q' = t &gt; late ? rate : 0\"/>"
     "<equation is='y = q'/></block>",
     12.7},
};

TEST_P(VariableSolver, PassesNothingByThatTimeAloneDrives) {
  for (const Driven& each : driven) {
    Loop loop(each.body, solver_options(GetParam(), 1e-6, 1e-8), "10 ms");
    loop.run(2001);
    EXPECT_NEAR(loop.value("x.y"), each.end, 5e-4) << each.name; // forty edges, each with an error
  }
}

/// A ball from 1.7 m that rises at first; its bounces of half the speed end at 1.94 s.
std::string ball(const std::string& restitution) {
  return "<block name='g' type='sources/Constant' value='-9.80665 m/s2'/>"
         "<block name='v' type='continuous/ResetIntegrator' initial='1.3 m/s' reset_on='falling'/>"
         "<block name='x' type='continuous/ResetIntegrator' initial='1.7 m' reset_on='falling'/>"
         "<block name='zero' type='sources/Constant' value='0 m'/><block name='bounce' type='math/Gain' gain='-" +
         restitution +
         "'/><connect from='g.y' to='v.u'/><connect from='v.y' to='x.u'/><connect from='x.y' to='v.trigger'/>"
         "<connect from='x.y' to='x.trigger'/><connect from='zero.y' to='x.restart'/>"
         "<connect from='v.y' to='bounce.u'/><connect from='bounce.y' to='v.restart'/>";
}

/// It comes to rest on the floor; multistep methods cannot tell bounces so small apart, and fail in words.
void expect_no_fall_through(Loop& loop, bool rests) {
  loop.run(1300);
  const Ending ending = loop.runtime().ending();
  EXPECT_EQ(ending.kind, rests ? Ending::Kind::none : Ending::Kind::failed) << ending.text;
  if (rests) {
    EXPECT_EQ(loop.value("x.y"), 0);
    EXPECT_EQ(loop.value("v.y"), 0);
  } else {
    EXPECT_THAT(ending.text, HasSubstr("rest"));
  }
  for (const double height : loop.trace("x.y")) ASSERT_GT(height, -1e-9);
}

TEST_P(VariableSolver, ABallWhoseBouncesEndDoesNotFallThroughTheFloor) {
  for (const char* restitution : {"0.05", "0.5", "0.83"}) {
    Loop loop(ball(restitution), solver_options(GetParam(), 1e-10, 1e-12), "7 ms");
    SCOPED_TRACE(restitution);
    expect_no_fall_through(loop, GetParam() != SolverKind::cvode && GetParam() != SolverKind::adams);
  }
}

TEST(LocatedBounce, ABallWhoseBouncesEndDoesNotFallThroughTheFloor) {
  for (const char* restitution : {"0.05", "0.5", "0.83"}) {
    Loop loop(ball(restitution), {}, "7 ms\" events=\"located");
    SCOPED_TRACE(restitution);
    expect_no_fall_through(loop, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, VariableSolver, ::testing::ValuesIn(variable_solvers()),
                         [](const auto& each) { return std::string(solver_name(each.param)); });

} // namespace
} // namespace hilda::test
