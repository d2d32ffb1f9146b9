// SPDX-License-Identifier: BSD-3-Clause
// Margins of loops over many decades, poles with their errors, and phases without jumps, against closed forms.
#include "engine/analysis/channel.h"
#include "engine/analysis/margins.h"
#include "engine/analysis/sampled_response.h"
#include "engine/analysis/unwrapped_phase.h"
#include "tests/modules.h"

#include <Eigen/LU>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <vector>

namespace hilda::test {
namespace {

constexpr double half_turn = std::numbers::pi;

using Coefficients = std::vector<double>; ///< of falling powers

/// numerator / denominator, whose first coefficient is 1, in s or z; the numerator's order is below the denominator's.
LinearModel ratio(const Coefficients& numerator, const Coefficients& denominator, double period = 0) {
  LinearModel model;
  const auto n = static_cast<Eigen::Index>(denominator.size()) - 1;
  model.period = period;
  model.inputs = {"in"}, model.outputs = {"out"};
  for (Eigen::Index i = 0; i < n; ++i) model.states.push_back("x" + std::to_string(i));
  model.A = Eigen::MatrixXd::Zero(n, n), model.B = Eigen::MatrixXd::Zero(n, 1);
  model.C = Eigen::MatrixXd::Zero(1, n), model.D = Eigen::MatrixXd::Zero(1, 1);
  for (Eigen::Index i = 0; i + 1 < n; ++i) model.A(i, i + 1) = 1;
  for (Eigen::Index i = 0; i < n; ++i) model.A(n - 1, n - 1 - i) = -denominator[static_cast<std::size_t>(i) + 1];
  model.B(n - 1, 0) = 1;
  for (std::size_t i = 0; i < numerator.size(); ++i)
    model.C(0, static_cast<Eigen::Index>(i)) = numerator[numerator.size() - 1 - i];
  model.spread = Eigen::MatrixXd::Zero(n + 1, n + 1);
  return model;
}

Margins loop_margins(const LinearModel& loop) { return margins(loop, sample_response(loop, band_of(loop))); }

void expect_phase(const Margins& found, double frequency, double angle, const std::string& loop) {
  ASSERT_EQ(found.phase.size(), 1u) << loop;
  EXPECT_NEAR(found.phase[0].frequency / frequency, 1, 1e-7) << loop;
  EXPECT_NEAR(found.phase[0].angle, angle, 1e-6) << loop;
}

std::string loop_name(double k, double a) { return "K " + std::to_string(k) + ", a " + std::to_string(a); }

TEST(LoopMargins, OfALagAreFoundFarBeyondItsPole) {
  for (const double k : {1.01, 3.0, 1e3, 1e6, 1e9})
    for (const double a : {1e-3, 1.0, 1e4}) // K a / (s + a)
      expect_phase(loop_margins(ratio({k * a}, {1, a})), a * std::sqrt(k * k - 1),
                   half_turn - std::atan(std::sqrt(k * k - 1)), loop_name(k, a));
}

TEST(LoopMargins, OfIntegratorsAloneAreFoundAtAnyGain) {
  for (int decade = -6; decade <= 9; ++decade) {
    const double k = 2 * std::pow(10.0, decade);
    const Margins one = loop_margins(ratio({k}, {1, 0}));
    expect_phase(one, k, half_turn / 2, loop_name(k, 0));
    EXPECT_TRUE(one.gain.empty() && one.stable);
    if (decade > 2) continue; // K T / (z - 1)
    const double period = 1e-3;
    expect_phase(loop_margins(ratio({k * period}, {1, -1}, period)), 2 / period * std::asin(k * period / 2),
                 half_turn / 2 - std::asin(k * period / 2), loop_name(k, period));
  }
}

TEST(LoopMargins, OfTwoIntegratorsUnderAZero) {
  for (const double k : {1e-6, 0.04, 1e4, 1e8})
    for (const double zero : {1e-3, 1.0, 50.0, 1e5}) { // K (s / zero + 1) / s^2
      const double b = k * k / (2 * zero * zero), w = std::sqrt(b + std::sqrt(b * b + k * k));
      const Margins found = loop_margins(ratio({k / zero, k}, {1, 0, 0}));
      expect_phase(found, w, std::atan(w / zero), loop_name(k, zero));
      EXPECT_TRUE(found.gain.empty()) << loop_name(k, zero);
      if (w / zero > 1e-6) { // closer to the edge it counts as the edge
        EXPECT_TRUE(found.stable) << loop_name(k, zero);
      }
    }
}

TEST(LoopMargins, OfAnIntegratorAndTwoLagsAtAnySpread) {
  for (const double a : {1e-4, 1.0, 300.0})
    for (const double spread : {1.5, 30.0, 1e4})
      for (const double share : {1e-4, 0.2, 0.9, 3.0}) { // share of the gain at the edge: K / (s (s + a) (s + b))
        const double b = a * spread, edge = a * b * (a + b);
        const Margins found = loop_margins(ratio({share * edge}, {1, a + b, a * b, 0}));
        ASSERT_EQ(found.gain.size(), 1u) << loop_name(share, spread);
        EXPECT_NEAR(found.gain[0].factor * share, 1, 1e-7);
        EXPECT_NEAR(found.gain[0].frequency / std::sqrt(a * b), 1, 1e-7);
        EXPECT_EQ(found.stable, share < 1) << loop_name(share, spread);
        EXPECT_EQ(found.phase.size(), 1u);
      }
}

TEST(LoopMargins, OfThreeIntegratorsUnderTwoZeros) {
  const Margins found = loop_margins(ratio({1, 0.5, 0.05}, {1, 0, 0, 0}));
  ASSERT_EQ(found.gain.size(), 1u);
  EXPECT_NEAR(found.gain[0].factor, 0.1, 1e-9); // s^3 + K (s^2 + s / 2 + 1 / 20) is at the edge where K / 2 = 1 / 20
  EXPECT_NEAR(found.gain[0].frequency, std::sqrt(0.05), 1e-9);
  ASSERT_EQ(found.phase.size(), 1u);
  EXPECT_NEAR(found.phase[0].angle * 180 / half_turn, 63.84, 0.005);
}

TEST(LoopMargins, OfALightlyDampedPlantAreAllFound) {
  // K w^2 / (s (s^2 + 2 d w s + w^2)): at the edge with 2 d w; |L| is 1 three times in between
  for (const double d : {1e-6, 1e-3, 0.01}) {
    const double w = 70, k = 0.5 * 2 * d * w;
    const Margins found = loop_margins(ratio({k * w * w}, {1, 2 * d * w, w * w, 0}));
    ASSERT_EQ(found.gain.size(), 1u) << d;
    EXPECT_NEAR(found.gain[0].factor, 2, 1e-5);
    EXPECT_TRUE(found.stable);
    EXPECT_EQ(loop_margins(ratio({3 * k * w * w}, {1, 2 * d * w, w * w, 0})).phase.size(), 3u);
  }
}

TEST(Poles, OfIntegratorsAndDelaysAreExact) {
  for (const Pole& pole : ratio({1, 2}, {1, 10, 0, 0, 0}).poles_with_errors())
    EXPECT_TRUE(pole.value.real() < -5 || (pole.value == 0.0 && pole.error == 0));
  const LinearModel line = ratio({1}, Coefficients(60, 0.0), 0.01);
  for (const Pole& pole : line.poles_with_errors()) EXPECT_TRUE(pole.value == 0.0 && pole.error == 0);
}

/// Random changes within the spread stay within the reported errors, also where poles lie together.
TEST(Poles, AreRightToTheErrorsThatTheyTell) {
  std::mt19937 chance(7);
  std::uniform_real_distribution<double> share(-1, 1);
  for (int turn = 0; turn < 200; ++turn) {
    const double link = turn % 4 == 0 ? 0 : 1, apart = turn % 2 == 0 ? 0 : 1e-3;
    Eigen::Matrix3d true_A, base;
    true_A << -1, link, 0, 0, -1 - apart, link, 0, 0, -1 - 2 * apart;
    base.setRandom();
    base.diagonal().array() += 3;
    LinearModel model = ratio({1}, {1, 0, 0, 0});
    const Eigen::Matrix3d exact = base * true_A * base.inverse();
    model.spread.topLeftCorner(3, 3).setConstant(1e-10);
    model.A = exact + 1e-10 * Eigen::Matrix3d::NullaryExpr([&](Eigen::Index, Eigen::Index) { return share(chance); });
    for (const Pole& pole : model.poles_with_errors()) {
      const double off = std::min(
          {std::abs(pole.value + 1.0), std::abs(pole.value + 1.0 + apart), std::abs(pole.value + 1.0 + 2 * apart)});
      EXPECT_LE(off, pole.error) << turn;
      EXPECT_LE(pole.error, 0.1) << turn;
    }
  }
}

double first_phase(const LinearModel& model) {
  return unwrapped_phase(model, sample_response(model, band_of(model))).front() * 180 / half_turn;
}

TEST(Phase, BeginsAtMinusNinetyDegreesForEachIntegrator) {
  EXPECT_NEAR(first_phase(ratio({1}, {1, 0})), -90, 1e-9);
  EXPECT_NEAR(first_phase(ratio({1}, {1, 0, 0})), -180, 1e-9);
  EXPECT_NEAR(first_phase(ratio({1}, {1, 0, 0, 0})), -270, 1e-9);
  EXPECT_NEAR(first_phase(ratio({1}, {1, 0, 0, 0, 0})), -360, 1e-9);
  EXPECT_NEAR(first_phase(ratio({-1}, {1, 0})), 90, 1e-9);
  EXPECT_NEAR(first_phase(ratio({1, 0}, {1, 2, 1})), 90, 2); // it differentiates
  EXPECT_NEAR(first_phase(ratio({-3}, {1, 1})), -180, 1);
}

TEST(Phase, OfALongDelayHasAllItsTurns) {
  const double period = 0.01, pole = std::exp(-period);
  for (const int ticks : {20, 200}) {
    Coefficients denominator(static_cast<std::size_t>(ticks) + 2, 0.0);
    denominator[0] = 1, denominator[1] = -pole;
    const LinearModel late = ratio({1 - pole}, denominator, period);
    EXPECT_EQ(dead_ticks(late), ticks + 1);
    const SampledResponse sampled = sample_response(late, band_of(late));
    EXPECT_TRUE(sampled.complete);
    EXPECT_NEAR(unwrapped_phase(late, sampled).back() * 180 / half_turn, -180 * (ticks + 1), 1e-6);
    const std::vector<double> few = unwrapped_phase_at(late, {0.01, 100, 300});
    for (std::size_t i = 0; i < 3; ++i) {
      const double w = std::vector<double>{0.01, 100, 300}[i];
      const double lag = std::arg(std::polar(1.0, w * period) - pole);
      EXPECT_NEAR(few[i], -lag - w * period * ticks, 1e-9);
    }
  }
}

} // namespace
} // namespace hilda::test
