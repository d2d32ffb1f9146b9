// SPDX-License-Identifier: BSD-3-Clause
// What a linear model answers, against closed forms: first and second order, their equals in discrete time, a delay.
#include "engine/analysis/channel.h"
#include "engine/analysis/margins.h"
#include "engine/analysis/sampled_response.h"
#include "engine/analysis/step_response.h"
#include "tests/modules.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

constexpr double pi = std::numbers::pi;

/// numerator / (s^n + a1 s^(n-1) + ... + an), or in z with a period.
LinearModel fraction(const std::vector<double>& a, double numerator, double period = 0) {
  LinearModel model;
  const auto n = static_cast<Eigen::Index>(a.size());
  model.period = period;
  model.inputs = {"in"}, model.outputs = {"out"};
  for (Eigen::Index i = 0; i < n; ++i) model.states.push_back("x" + std::to_string(i));
  model.A = Eigen::MatrixXd::Zero(n, n), model.B = Eigen::MatrixXd::Zero(n, 1);
  model.C = Eigen::MatrixXd::Zero(1, n), model.D = Eigen::MatrixXd::Zero(1, 1);
  for (Eigen::Index i = 0; i + 1 < n; ++i) model.A(i, i + 1) = 1;
  for (Eigen::Index i = 0; i < n; ++i) model.A(n - 1, n - 1 - i) = -a[static_cast<std::size_t>(i)];
  model.B(n - 1, 0) = 1, model.C(0, 0) = numerator;
  model.spread = Eigen::MatrixXd::Zero(n + 1, n + 1);
  return model;
}

LinearModel delay_line(int samples, double gain, double period) {
  return fraction(std::vector<double>(static_cast<std::size_t>(samples), 0.0), gain, period);
}

Margins margins_of(const LinearModel& loop) { return margins(loop, sample_response(loop, band_of(loop))); }
ResponseFigures figures_of(const LinearModel& model) {
  return response_figures(model, sample_response(model, band_of(model)));
}

TEST(LinearResponse, OfTheFirstOrder) {
  const LinearModel lag = fraction({2}, 20); // 10 / (0.5 s + 1)
  const ResponseFigures figures = figures_of(lag);
  EXPECT_NEAR(figures.steady, 10, 1e-12);
  EXPECT_NEAR(figures.bandwidth, 2, 1e-9);
  EXPECT_EQ(figures.peak_frequency, 0);
  const StepResponse step = step_response(lag);
  ASSERT_TRUE(step.settles);
  EXPECT_NEAR(step.steady, 10, 1e-12);
  EXPECT_NEAR(step.rise_time, 0.5 * std::log(9.0), 1e-5);
  EXPECT_NEAR(step.settling_time, 0.5 * std::log(50.0), 2 * (step.time[1] - step.time[0]));
  EXPECT_EQ(step.overshoot, 0);
  for (std::size_t i = 0; i < step.time.size(); ++i)
    ASSERT_NEAR(step.value[i], 10 * (1 - std::exp(-2 * step.time[i])), 1e-11);
}

TEST(LinearResponse, OfTheSecondOrder) {
  const double w = 2, d = 0.2;
  const LinearModel swing = fraction({2 * d * w, w * w}, 3 * w * w);
  const ResponseFigures figures = figures_of(swing);
  EXPECT_NEAR(figures.peak, 3 / (2 * d * std::sqrt(1 - d * d)), 1e-9);
  EXPECT_NEAR(figures.peak_frequency, w * std::sqrt(1 - 2 * d * d), 1e-6);
  EXPECT_NEAR(figures.bandwidth, w * std::sqrt(1 - 2 * d * d + std::sqrt(4 * std::pow(d, 4) - 4 * d * d + 2)), 1e-9);
  const StepResponse step = step_response(swing);
  ASSERT_TRUE(step.settles);
  EXPECT_NEAR(step.overshoot, std::exp(-pi * d / std::sqrt(1 - d * d)), 1e-4);
  EXPECT_NEAR(step.peak_time, pi / (w * std::sqrt(1 - d * d)), step.time[1]);
}

/// (1 - a s)/(1 + s)^2 goes the wrong way first, as far as its derivative's zero says.
TEST(LinearResponse, UndershootIsThatOfTheClosedForm) {
  for (const double a : {0.1, 0.5, 1.0, 3.0})
    for (const double gain : {1.0, -20.0}) {
      LinearModel wrong_way = fraction({2, 1}, gain);
      wrong_way.C(0, 1) = -gain * a;
      const StepResponse step = step_response(wrong_way);
      const double t = a / (1 + a), y = 1 - std::exp(-t) * (1 + (1 + a) * t); // y' = e^-t ((1 + a) t - a)
      ASSERT_TRUE(step.settles);
      EXPECT_NEAR(step.undershoot, -y, 1e-9) << a;
    }
  EXPECT_EQ(step_response(fraction({2}, 20)).undershoot, 0);
}

TEST(LinearResponse, OfANarrowResonanceIsFound) {
  const double d = 1e-7;
  EXPECT_NEAR(figures_of(fraction({2 * d * 50, 2500}, 2500)).peak, 1 / (2 * d), 1e-3 / (2 * d));
}

TEST(LinearResponse, OfALagInDiscreteTimeIsThatOfItsContinuousOneAtTheSamples) {
  const double period = 0.01, pole = std::exp(-2 * period);
  const StepResponse step = step_response(fraction({-pole}, 10 * (1 - pole), period));
  ASSERT_TRUE(step.settles);
  for (std::size_t i = 0; i < step.time.size(); ++i)
    ASSERT_NEAR(step.value[i], 10 * (1 - std::exp(-2 * step.time[i])), 1e-10);
}

TEST(LinearResponse, OfAnIntegratorDoesNotSettle) {
  const StepResponse step = step_response(fraction({0}, 3), 2);
  EXPECT_FALSE(step.settles);
  EXPECT_NEAR(step.value.back(), 6, 1e-9);
  EXPECT_TRUE(std::isinf(figures_of(fraction({1, 0}, 3)).steady));
}

TEST(LinearResponse, OfWhatGrowsDoesNotSettle) {
  const StepResponse step = step_response(fraction({-3}, 1));
  EXPECT_FALSE(step.settles);
  EXPECT_NEAR(step.pole.real(), 3, 1e-12);
  EXPECT_NEAR(step.value.back(), 49.0 / 3, 0.05); // (e^(3 t) - 1) / 3, grown fiftyfold
}

TEST(LinearResponse, FiguresAreTheModelsWhateverTimesAreShown) {
  const LinearModel light = fraction({0.001, 100}, 100);
  const StepResponse step = step_response(light);
  const double d = 0.001 / 20, w = 10 * std::sqrt(1 - d * d);
  ASSERT_TRUE(step.settles && step.resolved);
  EXPECT_NEAR(step.overshoot, std::exp(-pi * d / std::sqrt(1 - d * d)), 1e-9);
  EXPECT_NEAR(step.peak_time, pi / w, 1e-6);
  EXPECT_NEAR(step.rise_time, (std::acos(0.1) - std::acos(0.9)) / 10, 1e-4); // undamped: 1 - cos(w t)
  EXPECT_NEAR(step.settling_time, std::log(50.0) / (d * 10), pi / w);
  const LinearModel swing = fraction({0.8, 4}, 4);
  const StepResponse whole = step_response(swing);
  for (const double until : {0.05, 1.0, 1000.0, 1e5}) {
    const StepResponse shown = step_response(swing, until);
    EXPECT_NEAR(shown.time.back(), until, 1e-9 * until);
    EXPECT_EQ(shown.rise_time, whole.rise_time);
    EXPECT_EQ(shown.overshoot, whole.overshoot);
    EXPECT_EQ(shown.settling_time, whole.settling_time);
  }
  const double stiff = 1e6; // a slow lag and a fast one: steps grow when the fast one is over
  LinearModel both = fraction({1 + stiff, stiff}, stiff);
  EXPECT_NEAR(step_response(both).rise_time, std::log(9.0), 1e-5);
}

TEST(LinearResponse, OfWhatSettlesAtNothingIsMeasuredByItsPeak) {
  LinearModel wash = fraction({1}, -1); // s / (s + 1)
  wash.D(0, 0) = 1;
  const StepResponse step = step_response(wash);
  ASSERT_TRUE(step.settles);
  EXPECT_EQ(step.steady, 0);
  EXPECT_EQ(step.peak, 1);
  EXPECT_EQ(step.peak_time, 0);
  EXPECT_NEAR(step.settling_time, std::log(50.0), 1e-9);
}

TEST(LinearResponse, OfAnUndampedPoleIsInfiniteThere) {
  const ResponseFigures figures = figures_of(fraction({0, 1}, 1));
  EXPECT_TRUE(std::isinf(figures.peak));
  EXPECT_NEAR(figures.peak_frequency, 1, 1e-9);
}

TEST(LinearMargins, OnTheEdgeAreNotStable) {
  for (const LinearModel& loop :
       {fraction({-1}, 1), fraction({0, 0}, 1), fraction({0, 1}, 1), fraction({-1}, 2, 0.1)}) {
    const Margins found = margins_of(loop);
    EXPECT_TRUE(found.edge && !found.stable);
  }
  EXPECT_FALSE(margins_of(fraction({-1}, 1.9, 0.1)).edge);
  EXPECT_FALSE(margins_of(fraction({-1}, 2.1, 0.1)).edge);
}

TEST(LinearMargins, AtRestCount) {
  const Margins away = margins_of(fraction({6, 11, 6}, -5)); // -5 / ((s + 1) (s + 2) (s + 3))
  ASSERT_NE(away.least_increase(), nullptr);
  EXPECT_NEAR(away.least_increase()->factor, 1.2, 1e-12);
  EXPECT_EQ(away.least_increase()->frequency, 0);
  EXPECT_TRUE(away.stable);
  const Margins held = margins_of(fraction({-1}, 5)); // 5 / (s - 1)
  ASSERT_NE(held.least_decrease(), nullptr);
  EXPECT_NEAR(held.least_decrease()->factor, 0.2, 1e-12);
  EXPECT_TRUE(held.stable);
}

TEST(LinearMargins, ByTicksAreThoseOfTheClosedLoop) {
  // x' = x / 2 + u at each of two ticks a period, u = -0.2 x: at the edge with 7.5 times the gain, where 0.5 - 1.5 = -1
  const double a = 0.5 - 0.2;
  LinearModel closed = fraction({0}, 1, 0.2);
  closed.A(0, 0) = a * a;
  closed.B.resize(1, 2), closed.C.resize(2, 1), closed.D.resize(2, 2);
  closed.B << a, 1;
  closed.C << -0.2, -0.2 * a;
  closed.D << 1, 0, -0.2, 1;
  closed.inputs.assign(2, "d"), closed.outputs.assign(2, "s");
  closed.spread = Eigen::MatrixXd::Zero(3, 3);
  const Margins found = margins_by_ticks(closed);
  EXPECT_TRUE(found.stable);
  ASSERT_EQ(found.gain.size(), 1u);
  EXPECT_NEAR(found.gain[0].factor, 7.5, 1e-9);
}

TEST(LinearMargins, OfThreeIntegrationsAndLags) {
  const Margins found = margins_of(fraction({3, 2, 0}, 1.5)); // 1.5 / (s (s + 1) (s + 2)): edge at 6
  ASSERT_NE(found.least_increase(), nullptr);
  EXPECT_NEAR(found.least_increase()->factor, 4, 1e-9);
  EXPECT_NEAR(found.least_increase()->frequency, std::numbers::sqrt2, 1e-9);
  ASSERT_EQ(found.phase.size(), 1u);
  const double w = found.phase[0].frequency;
  EXPECT_NEAR(1.5 / (w * std::hypot(w, 1.0) * std::hypot(w, 2.0)), 1, 1e-12);
  EXPECT_NEAR(found.phase[0].angle, pi / 2 - std::atan(w) - std::atan(w / 2), 1e-12);
  EXPECT_NEAR(found.phase[0].delay, found.phase[0].angle / w, 1e-12);
  EXPECT_TRUE(found.stable);
  EXPECT_FALSE(margins_of(fraction({3, 2, 0}, 6.1)).stable);
  EXPECT_TRUE(margins_of(fraction({3, 2, 0}, 5.9)).stable);
}

TEST(LinearMargins, OfTheFirstOrderAreOfThePhaseAlone) {
  const Margins found = margins_of(fraction({2}, 20));
  EXPECT_TRUE(found.gain.empty());
  ASSERT_EQ(found.phase.size(), 1u);
  EXPECT_NEAR(found.phase[0].frequency, std::sqrt(99.0) / 0.5, 1e-9);
  EXPECT_NEAR(found.phase[0].angle, pi - std::atan(std::sqrt(99.0)), 1e-12);
  EXPECT_TRUE(margins_of(fraction({2}, 1)).phase.empty()); // 0.5 at rest: 0 dB is not crossed
}

TEST(LinearMargins, OfAnIntegratorInDiscreteTime) {
  const double period = 0.01, k = 40; // k T / (z - 1)
  const Margins found = margins_of(fraction({-1}, k * period, period));
  ASSERT_EQ(found.phase.size(), 1u);
  const double w = 2 / period * std::asin(k * period / 2);
  EXPECT_NEAR(found.phase[0].frequency, w, 1e-7);
  EXPECT_NEAR(found.phase[0].angle, pi / 2 - w * period / 2, 1e-9);
  ASSERT_EQ(found.gain.size(), 1u); // at pi/T, where the curve ends on the axis
  EXPECT_NEAR(found.gain[0].factor, 2 / (k * period), 1e-9);
}

TEST(LinearMargins, OfADelayCrossEachTimeItTurns) {
  const double period = 1e-3;
  const LinearModel late = delay_line(10, 0.5, period);
  for (const double w : {1.0, 100.0, 1234.5, 3000.0}) {
    const std::complex<double> exact = 0.5 * std::polar(1.0, -w * 10 * period);
    EXPECT_LT(std::abs(response_at(late, w) - exact), 1e-13);
  }
  const Margins found = margins_of(late);
  ASSERT_EQ(found.gain.size(), 5u);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(found.gain[static_cast<std::size_t>(k)].frequency, (2 * k + 1) * pi / (10 * period), 1e-6);
    EXPECT_NEAR(found.gain[static_cast<std::size_t>(k)].factor, 2, 1e-12);
  }
  EXPECT_TRUE(found.phase.empty());
  EXPECT_NEAR(found.nearest, 0.5, 1e-9);
  EXPECT_TRUE(found.stable);
  EXPECT_FALSE(margins_of(delay_line(10, 1.01, period)).stable);
  EXPECT_EQ(margins_of(delay_line(5, 0.5, period)).gain.size(), 3u); // the last of them at pi/T
}

TEST(LinearMargins, ALoopWithoutASolutionIsSaid) {
  LinearModel loop = fraction({1}, 1);
  loop.D(0, 0) = -1;
  EXPECT_FALSE(margins_of(loop).solvable);
}

TEST(LinearChannel, HasTheStatesThatLieBetweenAlone) {
  LinearModel two = fraction({3, 2}, 1);
  two.A << -1, 0, 0, -2; // two lags side by side
  two.B = Eigen::MatrixXd::Identity(2, 2), two.C = Eigen::MatrixXd::Ones(1, 2), two.D = Eigen::MatrixXd::Zero(1, 2);
  two.inputs = {"a", "b"};
  two.spread = Eigen::MatrixXd::Zero(3, 4);
  const LinearModel second = channel(two, 1, 0);
  ASSERT_EQ(second.A.rows(), 1);
  EXPECT_EQ(second.A(0, 0), -2);
  EXPECT_EQ(channel_name(second), "b to out");
}

} // namespace
} // namespace hilda::test
