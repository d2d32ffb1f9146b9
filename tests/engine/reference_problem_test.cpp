// SPDX-License-Identifier: BSD-3-Clause
// Small problems whose solutions are known, as diagrams of standard blocks: those of the Reference-FMUs (Dahlquist,
// VanDerPol, StateSpace, BouncingBall) with their values, against closed forms, and OREGO of the IVP test set.

#include "tests/engine/loop.h"
#include "tests/engine/solvers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

RuntimeOptions solved_by(SolverKind kind, double rtol, double atol) {
  RuntimeOptions options;
  options.solver.kind = kind;
  options.solver.rtol = rtol;
  options.solver.atol = atol;
  return options;
}

/// An integrator `name` for each state, with the derivative as an expression of others.
std::string state(const std::string& name, const std::string& initial, const std::string& derivative,
                  const std::vector<std::pair<std::string, std::string>>& variables) {
  std::string text = "<block name='" + name + "' type='continuous/Integrator' initial='" + initial +
                     "'/><block name='d" + name + "' type='math/Function' expression='" + derivative +
                     "' sample_time='continuous'/><connect from='d" + name + ".y' to='" + name + ".u'/>";
  for (const auto& [letter, source] : variables)
    text += "<connect from='" + source + ".y' to='d" + name + "." + letter + "'/>";
  return text + "\n";
}

TEST(ReferenceProblem, Dahlquist) {
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(state("x", "1", "-u", {{"u", "x"}}), solved_by(kind, 1e-10, 1e-12), "100 ms");
    loop.run(101);
    for (std::size_t k = 0; k <= 100; ++k)
      ASSERT_NEAR(loop.trace("x.y").at(k), std::exp(-0.1 * static_cast<double>(k)), 1e-9 * times_the_error(kind))
          << solver_name(kind);
  }
}

TEST(ReferenceProblem, VanDerPol) {
  // mu = 1 from (2, 0), at 20 s; scipy's DOP853 and Radau with rtol 1e-13 agree to these digits
  for (const SolverKind kind : variable_solvers()) {
    Loop loop(state("x", "2", "u", {{"u", "v"}}) + state("v", "0", "(1 - u^2)*v - u", {{"u", "x"}, {"v", "v"}}),
              solved_by(kind, 1e-11, 1e-11), "100 ms");
    loop.run(201);
    EXPECT_NEAR(loop.trace("x.y").at(200), 2.008149762175, 3e-9 * times_the_error(kind)) << solver_name(kind);
    EXPECT_NEAR(loop.trace("v.y").at(200), -0.0425088752732, 3e-9 * times_the_error(kind)) << solver_name(kind);
  }
}

TEST(ReferenceProblem, StateSpace) {
  // x' = A x + u with a pair of poles at -1 +- 2i, driven by a step: x = (I - exp(A t)) (-A)^-1 u
  for (const SolverKind kind : variable_solvers()) {
    Loop loop("<block name='one' type='sources/Constant' value='1'/><block name='s' type='continuous/StateSpace' "
              "A='-1 2; -2 -1' B='1; 0;' C='1 0;'/><connect from='one.y' to='s.u'/>",
              solved_by(kind, 1e-11, 1e-11), "100 ms");
    loop.run(51);
    for (std::size_t k = 0; k <= 50; ++k) {
      const double t = 0.1 * static_cast<double>(k), decay = std::exp(-t);
      ASSERT_NEAR(loop.trace("s.y").at(k), 0.2 + decay * (0.4 * std::sin(2 * t) - 0.2 * std::cos(2 * t)),
                  1e-9 * times_the_error(kind));
    }
  }
}

TEST(ReferenceProblem, BouncingBall) {
  // g = 9.81 m/s2, e = 0.7, from 1 m; until the tenth bounce
  const std::string ball = R"(<block name="h" type="continuous/Integrator" initial="1 m"/>
<block name="v" type="continuous/ResetIntegrator" reset_on="falling"/>
<block name="g" type="sources/Constant" value="-9.81 m/s2"/><block name="e" type="math/Gain" gain="-0.7"/>
<connect from="g.y" to="v.u"/><connect from="v.y" to="h.u"/><connect from="h.y" to="v.trigger"/>
<connect from="v.y" to="e.u"/><connect from="e.y" to="v.restart"/>
)";
  const auto height = [](double t) {
    double begin = 0, speed = 0, h = 1, fall = std::sqrt(2 / 9.81);
    for (; t > begin + fall; fall = 2 * speed / 9.81) begin += fall, speed = 0.7 * std::abs(speed - 9.81 * fall), h = 0;
    return h + speed * (t - begin) - 0.5 * 9.81 * (t - begin) * (t - begin);
  };
  for (const std::string& period : {std::string("10 ms\" solver=\"dopri5\" rtol=\"1e-11\" atol=\"1e-12"),
                                    std::string("10 ms\" events=\"located")}) {
    Loop loop(ball, {}, period);
    loop.run(246);
    for (std::size_t k = 0; k <= 245; ++k)
      ASSERT_NEAR(loop.trace("h.y").at(k), height(0.01 * static_cast<double>(k)), 1e-10) << period << ", " << k;
  }
}

TEST(ReferenceProblem, Oregonator) {
  Loop loop(state("a", "1", "77.27*(v + u*(1 - 8.375e-6*u - v))", {{"u", "a"}, {"v", "b"}}) +
                state("b", "2", "(w - (1 + u)*v)/77.27", {{"u", "a"}, {"v", "b"}, {"w", "c"}}) +
                state("c", "3", "0.161*(u - w)", {{"u", "a"}, {"w", "c"}}),
            solved_by(SolverKind::rosenbrock, 1e-9, 1e-11), "3600 ms");
  loop.run(101);
  EXPECT_NEAR(loop.value("a.y") / 0.1000814870318523e1, 1, 1e-7);
  EXPECT_NEAR(loop.value("b.y") / 0.1228178521549917e4, 1, 1e-7);
  EXPECT_NEAR(loop.value("c.y") / 0.1320554942846706e3, 1, 1e-7);
}

} // namespace
} // namespace hilda::test
