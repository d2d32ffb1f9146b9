// SPDX-License-Identifier: BSD-3-Clause
// What a block of someone else may compute: every mathematical function, and matrices that Eigen cuts by cache sizes.
#include <Eigen/Dense>
#include <complex>
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Functions : Block {
  Input<double> u{*this, "u", "1", "Argument"};
  Output<Vector> y{*this, "y", "34", "1", "Values"};

  void output(const Tick&) override {
    const double x = *u, within = std::sin(x), above = 1.0 + std::abs(x);
    const std::complex<double> z(x, within), w = std::exp(z), v = std::pow(z, std::complex<double>(0.3, 0.7));
    Eigen::Matrix<double, 34, 1> all;
    all << std::sin(x), std::cos(x), std::tan(x), std::asin(within), std::acos(within), std::atan(x),
        std::atan2(x, within), std::sinh(within), std::cosh(within), std::tanh(x), std::asinh(x), std::acosh(above),
        std::atanh(0.9 * within), std::exp(x), std::exp2(x), std::expm1(x), std::log(above), std::log2(above),
        std::log10(above), std::log1p(above), std::cbrt(x), std::hypot(x, within), std::pow(above, within), std::erf(x),
        std::erfc(x), std::lgamma(above), std::tgamma(above), static_cast<double>(std::sin(static_cast<float>(x))),
        static_cast<double>(std::exp(static_cast<float>(within))),
        static_cast<double>(std::pow(static_cast<float>(above), 0.3f)), w.real(), w.imag(), v.real(), v.imag();
    y = all;
  }
};
HILDA_BLOCK(Functions, "Every function of <cmath>.")

/// The entries of a matrix, without a library's generator.
Eigen::MatrixXd filled(Eigen::Index n, Eigen::Index columns) {
  Eigen::MatrixXd A(n, columns);
  std::uint64_t state = 1;
  for (Eigen::Index i = 0; i < A.size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    A.data()[i] = static_cast<double>(state >> 40) / 8388608.0 - 1.0;
  }
  return A;
}

struct Large : Block {
  Output<Vector> solution{*this, "solution", "300", "1", "Of 300 equations, by LU"};
  Output<Vector> root{*this, "root", "300", "1", "The same by Cholesky, of A A'"};
  Output<Vector> product{*this, "product", "700", "1", "Sum of the columns of a product of 700 x 700"};
  Output<Vector> caches{*this, "caches", "3", "1", "What Eigen takes for the processor's caches, bytes"};

  void output(const Tick&) override {
    const Eigen::MatrixXd A = filled(300, 300), B = filled(700, 700);
    const Eigen::VectorXd right = filled(300, 1);
    solution = Eigen::VectorXd(A.partialPivLu().solve(right));
    root = Eigen::VectorXd((A * A.transpose()).llt().solve(right));
    product = Eigen::VectorXd((B * B.leftCols(40)).rowwise().sum());
    std::ptrdiff_t first = 0, second = 0, third = 0;
    Eigen::internal::manage_caching_sizes(Eigen::GetAction, &first, &second, &third);
    caches = Eigen::Vector3d(static_cast<double>(first), static_cast<double>(second), static_cast<double>(third));
  }
};
HILDA_BLOCK(Large, "Matrices that are cut into blocks.")

} // namespace
