// SPDX-License-Identifier: BSD-3-Clause
// Differences with a ladder of steps: what they make of functions that one fixed step gets wrong.

#include "engine/analysis/detail/linearize/linearize_slope.h"
#include "tests/emulation/linear_trial.h"
#include "tests/modules.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

template <typename F> Slope slope_of(F f, double largest = 1e-4) {
  const auto deviation = [&](double h) -> std::optional<Eigen::VectorXd> {
    return Eigen::VectorXd::Constant(1, f(h) - f(0));
  };
  const std::optional<Slope> found = slope(deviation, Eigen::VectorXd::Constant(1, std::abs(f(0))), largest);
  return found.value_or(
      Slope{Eigen::VectorXd::Constant(1, NAN), Eigen::VectorXd::Constant(1, NAN), {false}, {false}, {false}});
}

void expect_right(const Slope& s, double exact) {
  EXPECT_LE(std::abs(s.value[0] - exact), s.error[0] + 1e-15 * std::abs(exact));
  EXPECT_FALSE(s.kinks[0]);
}

TEST(Slope, EstimatesItsOwnError) {
  expect_right(slope_of([](double h) { return std::sin(1 + h); }), std::cos(1.0));
  expect_right(slope_of([](double h) { return std::exp(200 * h); }), 200);
  expect_right(slope_of([](double h) { return 1e9 + 3 * h; }), 3);
  EXPECT_LT(slope_of([](double h) { return std::sin(1 + h); }).error[0], 1e-8);
  EXPECT_EQ(slope_of([](double) { return 7.0; }).error[0], 0);
}

TEST(Slope, ComesFromStepsThatStayOnThisSideOfAnEdgeNearby) {
  const Slope s = slope_of([](double h) { return std::max(0.0, 1e9 * (h + 1e-7)); }); // pressed by 0.1 um
  EXPECT_NEAR(s.value[0], 1e9, 1);
  EXPECT_LT(s.error[0], 1e3);
  EXPECT_FALSE(s.kinks[0]);
}

TEST(Slope, AtAnEdgeIsTheMeanOfBothSidesAndSaysSo) {
  const Slope s = slope_of([](double h) { return std::max(0.0, 6 * h); });
  EXPECT_TRUE(s.kinks[0]);
  EXPECT_NEAR(s.value[0], 3, 1e-9);
  EXPECT_NEAR(s.error[0], 3, 1e-6);
}

TEST(Slope, OfALeapDoesNotGrowWithSmallerStepsAndIsTold) {
  const auto sign = [](double h) { return static_cast<double>((h > 0) - (h < 0)); };
  const auto expect_jump = [](const Slope& s, double beside) {
    EXPECT_TRUE(s.jumps[0] && !s.kinks[0]);
    EXPECT_NEAR(s.value[0], beside, 1e-9);
    EXPECT_TRUE(std::isinf(s.error[0]));
  };
  expect_jump(slope_of(sign), 0);
  expect_jump(slope_of([&](double h) { return 5 * sign(h) + 3 * h; }), 3);                  // Coulomb friction, viscous
  expect_jump(slope_of([](double h) { return h > 0 ? 1.0 : 0.0; }), 0);                     // a comparison
  expect_jump(slope_of([](double h) { return 0.01 * std::round((h + 0.005) / 0.01); }), 0); // a quantiser at its edge
  expect_jump(slope_of([&](double h) { return 1e-9 * sign(h); }), 0);
  EXPECT_FALSE(slope_of([](double h) { return std::max(0.0, 6 * h); }).jumps[0]);
  EXPECT_FALSE(slope_of([](double h) { return 1e9 + 3 * h; }).jumps[0]); // its steps are near rounding
  EXPECT_FALSE(slope_of([](double h) { return std::exp(200 * h); }).jumps[0]);
}

/// [D5] Fewer than three steps stay on this side of the leap: -100909 was given for a slope of 0.
TEST(Slope, OfALeapNearbyIsTold) {
  for (const double away : {1e-11, 1e-10, 3e-10, 1e-9, 3e-9, 1e-8, -1e-9, -3e-9}) {
    const Slope s = slope_of([&](double h) { return (h + away > 0) - (h + away < 0) + 3 * h; });
    EXPECT_TRUE(s.jumps[0]) << away;
    EXPECT_NEAR(s.value[0], 3, 1e-6) << away;
    EXPECT_TRUE(std::isinf(s.error[0])) << away;
  }
  for (const double away : {3e-8, 1e-7, 1e-5})
    expect_right(slope_of([&](double h) { return (h + away > 0) - (h + away < 0) + 3 * h; }), 3);
  for (const double deep : {2e-9, 5e-9, 1e-8, 1e-7}) { // of a contact: it has a slope on this side
    const Slope s = slope_of([&](double h) { return std::max(0.0, 1e9 * (h + deep)); });
    EXPECT_FALSE(s.jumps[0]) << deep;
    EXPECT_NEAR(s.value[0], 1e9, s.error[0] + 1) << deep;
  }
}

/// [D5] Differences that grow as the step shrinks, though nothing leaps: 318 was given for an orifice.
TEST(Slope, WithoutABoundIsTold) {
  const auto root = [](double h) { return std::sqrt(std::abs(h)); };
  const auto expect_steep = [](const Slope& s) {
    EXPECT_TRUE(s.steep[0] && !s.jumps[0] && !s.kinks[0]);
    EXPECT_TRUE(std::isinf(s.error[0]));
  };
  expect_steep(slope_of(root));
  expect_steep(slope_of([&](double h) { return h < 0 ? -root(h) : root(h); }));
  expect_steep(slope_of([&](double h) { return h < 0 ? 0 : 1e-3 * root(h); }));
  expect_steep(slope_of([](double h) { return std::cbrt(h); }));
  expect_steep(slope_of([](double h) { return 1 / (h + 1e-9); }));
  for (const double w : {1.0, 1e3, 1e5}) {
    EXPECT_FALSE(slope_of([&](double h) { return std::tanh(w * h); }).steep[0]) << w;
    EXPECT_FALSE(slope_of([&](double h) { return std::pow(std::abs(w * h), 1.5); }).steep[0]) << w;
    EXPECT_FALSE(slope_of([&](double h) { return 1e9 + std::sin(w * h); }).steep[0]) << w;
    EXPECT_FALSE(slope_of([&](double h) { return std::sqrt(1e-6 + h + w * h * h); }).steep[0]) << w;
  }
}

TEST(Slope, OfWhatOverflowsAtLargeStepsComesFromSmallOnes) {
  expect_right(slope_of([](double h) { return std::abs(h) > 3e-6 ? INFINITY : 5 * h; }), 5);
}

TEST(Slope, ThatCannotBeHadIsNotInvented) {
  EXPECT_FALSE(slope([](double) { return std::optional<Eigen::VectorXd>(); }, Eigen::VectorXd::Ones(1), 1e-4));
  EXPECT_TRUE(std::isnan(slope_of([](double h) { return h == 0 ? 0 : NAN; }).value[0]));
}

// A contact: spring and damper beyond a wall, on a mass.
LinearTrial at_wall(const std::string& start) {
  return linearize_diagram("emulation_unconstrained", {"start=" + start, "velocity=0 m/s"},
                           {{"emulator.disturbance.y"}, {"emulator.wall.force"}, 0, LinearizeOptions().step});
}

TEST(Linearize, NamesTheEntriesAtTheEdgeOfAContact) {
  const LinearTrial edge = at_wall("0.05 m");
  ASSERT_EQ(edge.errors, "");
  const LinearModel& m = *edge.result->continuous;
  ASSERT_FALSE(m.kinks.empty());
  EXPECT_GT(m.error(), 0.1); // half the wall's stiffness: no linear model there
  std::vector<std::string> names;
  for (const auto& [row, col] : m.kinks) names.push_back(m.entry_name(row, col));
  EXPECT_THAT(names, testing::Contains("emulator.wall.force per emulator.arm.angle"));
}

TEST(Linearize, ResolvesAContactThatIsATenthOfAMicrometreDeep) {
  const LinearTrial shallow = at_wall("0.0500001 m"), deep = at_wall("0.06 m");
  ASSERT_EQ(shallow.errors + deep.errors, "");
  const LinearModel &a = *shallow.result->continuous, &b = *deep.result->continuous;
  EXPECT_TRUE(a.kinks.empty());
  ASSERT_EQ(a.C.size(), b.C.size());
  EXPECT_LT((a.C - b.C).cwiseAbs().maxCoeff(), 1e-3 * b.C.cwiseAbs().maxCoeff());
}

TEST(Linearize, SaysWhichStateCannotBeMoved) {
  const LinearTrial trial = linearize_diagram(R"(<diagram format="1" name="explosive" period="1 ms">
    <block name="u" type="sources/Constant" value="0 m/s2" sample_time="continuous"/>
    <block name="sum" type="math/Sum" signs="++" sample_time="continuous"/>
    <block name="v" type="continuous/Integrator" initial="0 m/s"/>
    <block name="x" type="continuous/Integrator" initial="0 m"/>
    <block name="spring" type="math/Gain" gain="1e200 1/s2" sample_time="continuous"/>
    <connect from="u.y" to="sum.u[0]"/> <connect from="spring.y" to="sum.u[1]"/>
    <connect from="sum.y" to="v.u"/> <connect from="v.y" to="x.u"/> <connect from="x.y" to="spring.u"/>
  </diagram>)",
                                              {}, {{"u.y"}, {"x.y"}, 0, LinearizeOptions().step});
  EXPECT_FALSE(trial.result);
  EXPECT_THAT(trial.errors,
              testing::AllOf(HasSubstr("error[linearize-slope]"), HasSubstr("'v.x'"), HasSubstr("--step")));
}

TEST(Linearize, SaysHowFarItsPolesMayBeOff) {
  const LinearTrial trial = linearize_diagram("emulation_transmissivity", {"inertia_ratio=0.055"},
                                              {{"lambda.y"}, {"f.y"}, 0, LinearizeOptions().step});
  ASSERT_EQ(trial.errors, "");
  const LinearModel& m = *trial.result->continuous;
  const auto poles = m.poles();
  const std::vector<double> errors = m.pole_errors();
  ASSERT_EQ(errors.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    // s^3 + w_a Q (s^2 + g_v s + g_p): its value over its slope is the distance to the exact root
    const std::complex<double> s = poles[i];
    const double k = 100 * 0.055;
    const auto off = (s * s * s + k * (s * s + 20.0 * s + 100.0)) / (3.0 * s * s + k * (2.0 * s + 20.0));
    EXPECT_LT(std::abs(off), errors[i] + 1e-12);
    EXPECT_LT(errors[i], 1e-6);
  }
}

} // namespace
} // namespace hilda::test
