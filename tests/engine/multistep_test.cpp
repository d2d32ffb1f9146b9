// SPDX-License-Identifier: BSD-3-Clause
// CVODE's formulas: the figures of hybrid.md, what makes them restart, the same bits again, sparse matrices.

#include "engine/run/detail/solve/cvode/cvode.h"
#include "engine/run/detail/solve/cvode/sparse_elimination.h"
#include "engine/run/detail/solve/methods/elimination.h"
#include "tests/engine/solvers.h"
#include "tests/modules.h"

#include <cmath>
#include <gmock/gmock.h>
#include <random>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

class Multistep : public ::testing::Test {
protected:
  void SetUp() override {
    if (!has_cvode()) GTEST_SKIP() << "hilda was built without CVODE (apt: libsundials-dev)";
  }
};

constexpr std::array<SolverKind, 2> both = {SolverKind::cvode, SolverKind::adams};

const VariableStep& stepping_of(Loop& loop) { return *loop.runtime().solver().variable(); }

// Right-hand sides and errors of CVODE 6.4 by itself, as the specification has them: 20 % and a factor of 2 are
// allowed.

TEST_F(Multistep, HiresAtThePriceOfCvodeAlone) {
  Loop loop("<block name='b' type='probes/Hires'/>", solver_options(SolverKind::cvode, 1e-9, 1e-13), "3218122 us");
  loop.run(101);
  const std::vector<double> end = {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
                                   0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                                   0.2849998395185769e-2, 0.2850001604814231e-2};
  EXPECT_LT(worst_relative_error(loop, "b.y", end), 2 * 2.5e-8);
  EXPECT_NEAR(static_cast<double>(stepping_of(loop).statistics().right_hand_sides), 1778, 0.2 * 1778);
  EXPECT_EQ(stepping_of(loop).statistics().restarts, 0);
}

TEST_F(Multistep, VanDerPolAtThePriceOfCvodeAlone) {
  Loop loop("<block name='b' type='probes/VanDerPol' mu='1000'/>", solver_options(SolverKind::cvode, 1e-8, 1e-11),
            "20 s");
  loop.run(101);
  EXPECT_LT(std::abs(loop.value("b.y") / 0.1706167732170469e1 - 1), 2 * 2.9e-7);
  EXPECT_NEAR(static_cast<double>(stepping_of(loop).statistics().right_hand_sides), 4343, 0.2 * 4343);
}

TEST_F(Multistep, RobertsonAtThePriceOfCvodeAlone) {
  Loop loop("<block name='b' type='probes/Robertson'/>", solver_options(SolverKind::cvode, 1e-8, 1e-18),
            "1000000000 s");
  loop.run(101);
  EXPECT_LT(worst_relative_error(loop, "b.y", {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}),
            2 * 1.6e-7);
  EXPECT_NEAR(static_cast<double>(stepping_of(loop).statistics().right_hand_sides), 3244, 0.2 * 3244);
}

TEST_F(Multistep, ErrorsFollowTheTolerance) {
  for (const SolverKind kind : both) {
    double before = 1;
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      Loop loop(oscillator, solver_options(kind, tolerance, tolerance), "10 ms");
      loop.run(201);
      const double error = std::abs(loop.trace("x.y").at(200) - std::cos(40));
      EXPECT_LT(error, 1000 * tolerance) << solver_name(kind); // of 40 radians, with local errors of the tolerance
      EXPECT_LT(error, before / 5) << solver_name(kind);
      before = error;
    }
  }
}

TEST_F(Multistep, TicksReadTheFormulasBetweenSteps) {
  for (const SolverKind kind : both) {
    Loop loop(oscillator, solver_options(kind, 1e-9, 1e-9), "500 us");
    loop.run(1001);
    EXPECT_LT(stepping_of(loop).statistics().steps, 700);
    for (std::size_t k = 0; k <= 1000; ++k)
      ASSERT_NEAR(loop.trace("x.y").at(k), std::cos(0.01 * static_cast<double>(k)), 2e-6) << solver_name(kind) << k;
  }
}

/// Heat in a rod of n cells whose ends are cold: x_i' = x_(i-1) - 2 x_i + x_(i+1), from its slowest mode.
std::string rod(int n) {
  std::string text;
  for (int i = 1; i <= n; ++i) {
    const std::string at = std::to_string(i);
    text += "<block name='x" + at + "' type='continuous/Integrator' initial='" +
            std::to_string(std::sin(M_PI * i / (n + 1))) + "'/>\n";
    text += "<block name='d" + at + "' type='math/Function' expression='" + (i > 1 ? "u" : "0") + " - 2*v + " +
            (i < n ? "w" : "0") + "' sample_time='continuous'/><connect from='d" + at + ".y' to='x" + at + ".u'/>";
    text += "<connect from='x" + at + ".y' to='d" + at + ".v'/>";
    if (i > 1) text += "<connect from='x" + std::to_string(i - 1) + ".y' to='d" + at + ".u'/>";
    if (i < n) text += "<connect from='x" + std::to_string(i + 1) + ".y' to='d" + at + ".w'/>";
  }
  return text + "\n";
}

TEST_F(Multistep, ASparseJacobianCostsAsManySlopesAsItsStatesMeet) {
  constexpr int cells = 60;
  Loop loop(rod(cells), solver_options(SolverKind::cvode, 1e-8, 1e-10), "100 s");
  loop.run(4);
  const double half = std::sin(M_PI / 2 / (cells + 1)), left = std::exp(-4 * half * half * 300);
  for (const int i : {1, 20, 60}) {
    const double expected = std::stod(std::to_string(std::sin(M_PI * i / (cells + 1)))) * left;
    EXPECT_NEAR(loop.value("x" + std::to_string(i) + ".y") / expected, 1, 1e-4) << i;
  }
  const SolverStatistics& counted = stepping_of(loop).statistics();
  EXPECT_LT(counted.right_hand_sides, 2 * counted.steps + 3 * counted.jacobians + 20) << "three slopes a Jacobian";
  EXPECT_LT(counted.steps, 400) << "steps are longer than an explicit method may make them";
}

TEST_F(Multistep, SaysHowManyStatesADenseMatrixTakes) {
  std::string many = "<block name='c' type='sources/Constant' value='";
  for (int i = 0; i < 2001; ++i) many += "1 ";
  many += "'/><block name='x' type='continuous/Integrator'/><connect from='c.y' to='x.u'/>";
  const auto refusal = [&](SolverKind kind) -> std::string {
    try {
      Loop loop(many, solver_options(kind, 1e-6, 1e-6));
    } catch (const std::runtime_error& refused) { return refused.what(); }
    return {};
  };
  EXPECT_THAT(refusal(SolverKind::cvode), HasSubstr("error[solver-size]"));
  EXPECT_EQ(refusal(SolverKind::adams), "");
}

TEST(MultistepMissing, SaysWhichPackageToInstall) {
  SolverSettings settings;
  settings.kind = SolverKind::cvode;
  Diagnostics diagnostics;
  refuse_without_cvode(settings, diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.all().front().code, "solver-missing");
  EXPECT_EQ(diagnostics.all().front().what,
            "the solver 'cvode' is CVODE's, and this hilda was built where CVODE is not installed");
  EXPECT_THAT(diagnostics.all().front().help, HasSubstr("apt-get install libsundials-dev"));
}

TEST(SparseElimination, SolvesWhatDenseEliminationSolves) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(-1, 1);
  for (const std::size_t n : {1u, 5u, 40u, 150u}) {
    std::vector<std::vector<std::uint32_t>> rows(n);
    std::vector<double> values;
    Elimination dense(n);
    std::fill(dense.matrix().begin(), dense.matrix().end(), 0.0);
    for (std::size_t column = 0; column < n; ++column)
      for (std::uint32_t row = 0; row < n; ++row) {
        if (row != column && share(random) < 1 - 6.0 / static_cast<double>(n)) continue;
        rows[column].push_back(row);
        values.push_back(share(random) + (row == column ? 8 : 0));
        dense.matrix()[row * n + column] = values.back();
      }
    std::optional<SparseElimination> sparse = SparseElimination::of(rows, n * n);
    ASSERT_TRUE(sparse);
    std::vector<double> b(n);
    for (double& each : b) each = share(random);
    std::vector<double> x = b;
    for (int twice = 0; twice < 2; ++twice) { // the second time over its own leavings
      x = b;
      ASSERT_TRUE(sparse->factor(values.data()));
      sparse->solve(x.data());
    }
    ASSERT_TRUE(dense.factor());
    dense.solve(b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], b[i], 1e-12) << n;
  }
}

TEST(SparseElimination, FillsNoBandAndNoArrow) {
  constexpr std::uint32_t n = 500;
  std::vector<std::vector<std::uint32_t>> band(n), arrow(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t row = i > 0 ? i - 1 : 0; row < std::min(i + 2, n); ++row) band[i].push_back(row);
    arrow[i] = i == 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{0, i};
    if (i > 0) arrow[0].push_back(i);
  }
  EXPECT_EQ(SparseElimination::of(band, n * n)->entries(), 3 * n - 2);
  EXPECT_EQ(SparseElimination::of(arrow, n * n)->entries(), 3 * n - 2) << "the row that meets all is taken last";
  EXPECT_FALSE(SparseElimination::of(band, 3 * n - 3));
}

TEST(SparseElimination, RefusesAPivotThatIsLost) {
  const std::vector<std::vector<std::uint32_t>> full = {{0, 1}, {0, 1}};
  std::optional<SparseElimination> sparse = SparseElimination::of(full, 4);
  ASSERT_TRUE(sparse);
  const std::vector<double> singular = {1, 2, 2, 4}, unbounded = {1, 2, NAN, 4};
  EXPECT_FALSE(sparse->factor(singular.data()));
  EXPECT_FALSE(sparse->factor(unbounded.data()));
}

} // namespace
} // namespace hilda::test
