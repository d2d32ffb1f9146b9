// SPDX-License-Identifier: BSD-3-Clause
// What each method of the pseudo-inverse is worth near a singularity: the errors that its documentation states.

#include "tests/diagrams/diagram_run.h"

#include <Eigen/Dense>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace hilda::test {
namespace {

using Eigen::Index;

/// 6 by 7, singular values from 1 down to 1 / condition in even steps of their logarithms.
Eigen::MatrixXd near_singular(double condition) {
  const auto mirror = [](Index n, double phase) {
    Eigen::VectorXd u(n);
    for (Index i = 0; i < n; ++i) u[i] = std::sin(phase + 1.7 * static_cast<double>(i * i + 1));
    u.normalize();
    return Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n) - 2 * u * u.transpose());
  };
  Eigen::VectorXd singular(6);
  for (Index i = 0; i < 6; ++i) singular[i] = std::pow(condition, -static_cast<double>(i) / 5);
  return mirror(6, 0.3) * singular.asDiagonal() * mirror(7, 1.1).leftCols(6).transpose();
}

std::string text_of(const Eigen::MatrixXd& m) {
  std::ostringstream out;
  out.precision(17);
  for (Index r = 0; r < m.rows(); ++r) {
    for (Index c = 0; c < m.cols(); ++c) out << m(r, c) << ' ';
    if (m.cols() > 1) out << "; ";
  }
  return out.str();
}

/// Against long double arithmetic on the rows of A that are not 0.
double error(const std::string& method, const Eigen::MatrixXd& A) {
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(6, 1.0, -0.7);
  const DiagramRun r = run_diagram({R"(<diagram format="1" name="inverse" period="1 ms">
    <block name="A" type="sources/Constant" value=")" +
                                        text_of(A) +
                                        R"("/>
    <block name="b" type="sources/Constant" value=")" +
                                        text_of(b) + R"("/>
    <block name="x" type="arm/PseudoInverse" method=")" +
                                        method + R"("/>
    <connect from="A.y" to="x.matrix"/> <connect from="b.y" to="x.vector"/>
  </diagram>)",
                                    {},
                                    {"x.solution"},
                                    0.001});
  EXPECT_EQ(r.errors, "");
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Index rows = A.row(5).isZero() ? 5 : 6;
  const Eigen::VectorXd exact = Eigen::CompleteOrthogonalDecomposition<Long>(A.topRows(rows).cast<long double>())
                                    .solve(b.head(rows).cast<long double>())
                                    .cast<double>();
  Eigen::VectorXd x(7);
  for (Index i = 0; i < 7; ++i) x[i] = r.at("x.solution", 0, 7, static_cast<std::size_t>(i));
  return (x - exact).norm() / exact.norm();
}

double error(const std::string& method, double condition) { return error(method, near_singular(condition)); }

TEST(PseudoInverse, ByRotationsLosesDigitsLikeTheCondition) {
  for (const char* method : {"svd", "orthogonal"}) {
    EXPECT_LT(error(method, 1e2), 1e-13) << method;
    EXPECT_LT(error(method, 1e4), 1e-11) << method;
    EXPECT_LT(error(method, 1e6), 1e-9) << method;
  }
}

TEST(PseudoInverse, ByNormalEquationsLosesThemLikeItsSquare) {
  EXPECT_LT(error("normal", 1e2), 1e-11);
  EXPECT_LT(error("normal", 1e4), 1e-7);
  EXPECT_LT(error("normal", 1e6), 1e-3);
  EXPECT_GT(error("normal", 1e6), 1e3 * error("svd", 1e6));
}

TEST(PseudoInverse, ByRotationsDropsADirectionThatIsLost) {
  Eigen::MatrixXd A = near_singular(1e2);
  A.row(5).setZero();
  for (const char* method : {"svd", "orthogonal"}) EXPECT_LT(error(method, A), 1e-12) << method;
}

} // namespace
} // namespace hilda::test
