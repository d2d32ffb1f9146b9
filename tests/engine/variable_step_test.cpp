// SPDX-License-Identifier: BSD-3-Clause
// Steps as long as an error allows: known solutions, orders, what makes a step restart, events, checkpoints.

#include "tests/engine/solvers.h"

#include <cmath>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

const SolverStatistics& statistics(Loop& loop) { return loop.runtime().solver().variable()->statistics(); }

/// At 321.8122 s, from the IVP test set.
const std::vector<double> hires_end = {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
                                       0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                                       0.2849998395185769e-2, 0.2850001604814231e-2};
/// Of x at 2000 s, mu = 1000.
const std::vector<double> van_der_pol_end = {0.1706167732170469e1, -0.8928097010248125e-3};

TEST(VariableStep, HiresMeetsThePublishedSolution) {
  Loop loop("<block name='b' type='probes/Hires'/>", solver_options(SolverKind::rosenbrock, 1e-7, 1e-11), "3218122 us");
  loop.run(101);
  EXPECT_LT(worst_relative_error(loop, "b.y", hires_end), 1e-7);
  EXPECT_LT(statistics(loop).right_hand_sides, 8000); // with those of its Jacobians
  EXPECT_EQ(statistics(loop).restarts, 0);
}

TEST(VariableStep, VanDerPolMeetsThePublishedSolution) {
  Loop loop("<block name='b' type='probes/VanDerPol' mu='1000'/>", solver_options(SolverKind::rosenbrock, 1e-8, 1e-10),
            "20 s");
  loop.run(101);
  EXPECT_LT(worst_relative_error(loop, "b.y", van_der_pol_end), 2e-6);
}

TEST(VariableStep, RobertsonMeetsThePublishedSolution) {
  Loop loop("<block name='b' type='probes/Robertson'/>", solver_options(SolverKind::rosenbrock, 1e-8, 1e-18),
            "1000000000 s");
  loop.run(101);
  const std::vector<double> end = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050};
  EXPECT_LT(worst_relative_error(loop, "b.y", end), 1e-5);
}

/// dx/dt = v, dv/dt = -w^2 x with w = 20/s, from x = 1.
/// Steps of one length: the tolerances never count, and max_step does. Of place and speed, in units of the place.
double swing_error(SolverKind kind, double step, double at) {
  RuntimeOptions options = solver_options(kind, 0.5, 1e3);
  options.solver.max_step = step;
  const std::string period = std::to_string(std::lround(at * 1e6)) + " us";
  Loop loop(oscillator, options, period);
  loop.run(2);
  return std::hypot(loop.trace("x.y").at(1) - std::cos(20 * at), loop.trace("v.y").at(1) / 20 + std::sin(20 * at));
}

TEST(VariableStep, DormandAndPrinceIsOfOrderFive) {
  const double coarse = swing_error(SolverKind::dopri5, 0.01, 0.4), fine = swing_error(SolverKind::dopri5, 0.005, 0.4);
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.4) << coarse << " " << fine;
}

TEST(VariableStep, RodasIsOfOrderFive) {
  const double coarse = swing_error(SolverKind::rosenbrock, 0.01, 0.4),
               fine = swing_error(SolverKind::rosenbrock, 0.005, 0.4);
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.5) << coarse << " " << fine;
}

TEST(VariableStep, TheCurveThroughAStepIsOfOrderFour) {
  for (const SolverKind kind : {SolverKind::dopri5, SolverKind::rosenbrock}) {
    const double coarse = swing_error(kind, 0.016, 0.4 - 0.016 * 0.37),
                 fine = swing_error(kind, 0.008, 0.4 - 0.008 * 0.37);
    EXPECT_GT(std::log2(coarse / fine), 3.6) << solver_name(kind) << ": " << coarse << " " << fine;
  }
}

TEST(VariableStep, GoesOverTicksAndTicksReadTheCurve) {
  Loop loop(oscillator, solver_options(SolverKind::dopri5, 1e-9, 1e-9), "1 ms");
  loop.run(1001);
  EXPECT_LT(statistics(loop).steps, 500);
  for (std::size_t k = 0; k <= 1000; ++k)
    ASSERT_NEAR(loop.trace("x.y").at(k), std::cos(0.02 * static_cast<double>(k)), 2e-7) << k;
}

TEST(VariableStep, ErrorsFollowTheTolerance) {
  double before = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Loop loop(oscillator, solver_options(SolverKind::dopri5, tolerance, tolerance), "10 ms");
    loop.run(201);
    const double error = std::abs(loop.trace("x.y").at(200) - std::cos(40));
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, before / 10);
    before = error;
  }
}

TEST(VariableStep, AConstantForcesNothing) {
  Loop loop("<block name='c' type='sources/Constant' value='2'/><block name='x' type='continuous/Integrator'/>"
            "<connect from='c.y' to='x.u'/>",
            solver_options(SolverKind::dopri5, 1e-9, 1e-9), "1 ms");
  loop.run(1001);
  EXPECT_EQ(statistics(loop).restarts, 0);
  EXPECT_LT(statistics(loop).steps, 12);
  EXPECT_NEAR(loop.trace("x.y").at(1000), 2.0, 1e-12);
}

/// Outputs of blocks without a condition: others may stop between two ticks.
std::vector<unsigned char> unconditional_bits(Loop& loop) {
  std::vector<unsigned char> all;
  for (const SystemSignal& signal : loop.runtime().signals()) {
    if (loop.runtime().system().blocks[signal.block].guard.valid()) continue;
    const auto* data = static_cast<const unsigned char*>(signal.span.data);
    all.insert(all.end(), data, data + signal.span.bytes());
  }
  return all;
}

TEST(VariableStep, LeavesTheOutputsOfTheTickAsTheyWere) {
  Loop loop(everything(), solver_options(SolverKind::dopri5, 1e-7, 1e-9));
  loop.run(30);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(loop.runtime().compute());
    const std::vector<unsigned char> before = unconditional_bits(loop);
    ASSERT_TRUE(loop.runtime().advance());
    ASSERT_EQ(unconditional_bits(loop), before) << k;
  }
}

TEST(VariableStep, AStateHasATolerance) {
  // of two like states the one with the loose tolerance has no say
  const auto steps = [](const std::string& atol) {
    Loop loop(oscillator, {}, "10 ms\" solver=\"dopri5\" rtol=\"1e-9\" atol=\"" + atol);
    loop.run(101);
    return statistics(loop).steps;
  };
  EXPECT_GT(steps("1e-9"), 2 * steps("1e-9, x=1, v.x=1"));
}

TEST(VariableStep, TheDiagramAsksAndARunMayAskOtherwise) {
  const std::string period = "10 ms\" solver=\"dopri5\" rtol=\"1e-9";
  Loop asked(oscillator, {}, period), otherwise(oscillator, {.solver = SolverKind::rk4}, period);
  EXPECT_NE(asked.runtime().solver().variable(), nullptr);
  EXPECT_EQ(asked.runtime().solver().settings().rtol, 1e-9);
  EXPECT_EQ(otherwise.runtime().solver().variable(), nullptr);
}

/// Why a diagram does not start.
std::string refusal(const std::string& body, const RuntimeOptions& options, const std::string& period = "1 ms") {
  try {
    Loop loop(body, options, period);
  } catch (const std::runtime_error& refused) { return refused.what(); }
  return {};
}

TEST(VariableStep, IsNotForTicksThatAreDueAtTimesOfTheClock) {
  RuntimeOptions options = solver_options(SolverKind::dopri5, 1e-6, 1e-6);
  options.paced = true;
  EXPECT_THAT(refusal(oscillator, options), HasSubstr("error[solver-paced]: the solver 'dopri5'"));
  options.solver = SolverKind::rk4;
  EXPECT_EQ(refusal(oscillator, options), "");
  EXPECT_THAT(refusal(oscillator, options, "1 ms\" events=\"located"),
              HasSubstr("error[solver-paced]: events=\"located\""));
}

TEST(VariableStep, RosenbrockSaysHowManyStatesItTakes) {
  std::string many = "<block name='c' type='sources/Constant' value='";
  for (int i = 0; i < 2001; ++i) many += "1 ";
  many += "'/><block name='x' type='continuous/Integrator'/><connect from='c.y' to='x.u'/>";
  EXPECT_THAT(refusal(many, solver_options(SolverKind::rosenbrock, 1e-6, 1e-6)), HasSubstr("error[solver-size]"));
  EXPECT_EQ(refusal(many, solver_options(SolverKind::dopri5, 1e-6, 1e-6)), "");
}

} // namespace
} // namespace hilda::test
