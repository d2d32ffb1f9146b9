// SPDX-License-Identifier: BSD-3-Clause
// Poles and responses of models whose matrices are drawn: against the same maths straight from the definition.

#include "engine/analysis/detail/state_space/linear_model.h"
#include "tests/modules.h"

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

using Eigen::Index;

LinearModel drawn(Index states, Index inputs, Index outputs, double period, std::mt19937& chance) {
  std::normal_distribution<double> number;
  const auto matrix = [&](Index rows, Index cols) {
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return number(chance); }).eval();
  };
  LinearModel m;
  m.period = period;
  m.A = matrix(states, states) / std::sqrt(static_cast<double>(std::max<Index>(1, states)));
  m.B = matrix(states, inputs);
  m.C = matrix(outputs, states);
  m.D = matrix(outputs, inputs);
  m.spread = Eigen::MatrixXd::Constant(states + outputs, states + inputs, 1e-9);
  return m;
}

/// D + C (z - A)^-1 B
Eigen::MatrixXcd by_definition(const LinearModel& m, double frequency) {
  const std::complex<double> s(0, frequency), z = m.period > 0 ? std::exp(s * m.period) : s;
  const Eigen::MatrixXcd I = Eigen::MatrixXcd::Identity(m.A.rows(), m.A.rows());
  return m.D + m.C * (z * I - m.A.cast<std::complex<double>>()).fullPivLu().solve(Eigen::MatrixXcd(m.B));
}

TEST(FrequencyResponse, IsThatOfTheDefinition) {
  std::mt19937 chance(7);
  for (const double period : {0.0, 0.01})
    for (Index n = 1; n <= 40; n = n < 6 ? n + 1 : 2 * n) {
      const LinearModel m = drawn(n, 1 + n % 3, 1 + n % 4, period, chance);
      for (const double w : {0.01, 0.7, 3.0, 50.0, 300.0}) {
        const Eigen::MatrixXcd exact = by_definition(m, w);
        EXPECT_LT((m.response(w) - exact).norm(), 1e-11 * (1 + exact.norm()))
            << n << " states, period " << period << ", " << w;
      }
    }
}

TEST(FrequencyResponse, OfADelayLineIsItsPhase) {
  constexpr Index n = 30;
  LinearModel m;
  m.period = 1e-3;
  m.A = Eigen::MatrixXd::Zero(n, n);
  m.A.diagonal(1).setOnes();
  m.B = Eigen::VectorXd::Unit(n, n - 1);
  m.C = Eigen::RowVectorXd::Unit(n, 0);
  m.D = Eigen::MatrixXd::Zero(1, 1);
  for (const double w : {1.0, 100.0, 3000.0})
    EXPECT_LT(std::abs(m.response(w)(0, 0) - std::exp(std::complex<double>(0, -w * n * 1e-3))), 1e-12) << w;
}

TEST(FrequencyResponse, OfAnOutputThatAnInputDoesNotReachIsZeroToTheLastBit) {
  std::mt19937 chance(5);
  LinearModel m = drawn(12, 2, 2, 0.01, chance);
  m.A.topRightCorner(6, 6).setZero(), m.A.bottomLeftCorner(6, 6).setZero();
  m.B.topRightCorner(6, 1).setZero(), m.B.bottomLeftCorner(6, 1).setZero();
  m.C.topRightCorner(1, 6).setZero(), m.C.bottomLeftCorner(1, 6).setZero();
  m.D.setZero();
  const Eigen::MatrixXcd G = m.response(30);
  EXPECT_EQ(G(0, 1), 0.0);
  EXPECT_EQ(G(1, 0), 0.0);
  EXPECT_LT((G - by_definition(m, 30)).norm(), 1e-11 * (1 + G.norm()));
}

TEST(FrequencyResponse, WithoutStatesIsD) {
  std::mt19937 chance(3);
  const LinearModel m = drawn(0, 2, 3, 0.01, chance);
  EXPECT_EQ(m.response(5), Eigen::MatrixXcd(m.D));
}

TEST(Poles, ComeTogetherWithTheirErrors) {
  std::mt19937 chance(11);
  for (const Index n : {1, 2, 9, 30}) {
    const LinearModel m = drawn(n, 1, 1, 0.01, chance);
    const std::vector<Pole> both = m.poles_with_errors();
    const std::vector<std::complex<double>> poles = m.poles();
    const std::vector<double> errors = m.pole_errors();
    ASSERT_EQ(both.size(), static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < both.size(); ++i) {
      EXPECT_EQ(both[i].value, poles[i]);
      EXPECT_EQ(both[i].error, errors[i]);
      EXPECT_GT(both[i].error, 0);
      EXPECT_LT(both[i].error, 1e-5);
    }
  }
}

} // namespace
} // namespace hilda::test
