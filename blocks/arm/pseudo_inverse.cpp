// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <hilda/block.h>

namespace hilda {
namespace {

constexpr int most_rows = 6, most_cols = 12;
using Wide = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, most_rows, most_cols>;
using Square = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, most_rows, most_rows>;
using Short = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, most_rows, 1>;
using Long = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, most_cols, 1>;

constexpr const char* pseudo_inverse_doc =
    "x = A^+ b, the shortest x with A x = b (Moore and Penrose). Relative errors at conditions of 1e2, 1e4, 1e6: "
    "method svd "
    "(Jacobi) 2e-14, 5e-13, 4e-11; orthogonal (complete orthogonal decomposition) the same, about four times faster; "
    "normal (A A' by Cholesky) 2e-13, 4e-9, 5e-5, about twenty times faster, and nothing sensible where A loses rank. "
    "The first two drop directions that A has lost.";

struct PseudoInverse : Block {
  enum class Method { svd, orthogonal, normal };

  Input<Matrix> matrix{*this, "matrix", "m n", "@a", "A: no more rows than columns"};
  Input<Vector> vector{*this, "vector", "m", "@b", "b"};
  Output<Vector> solution{*this, "solution", "n", "@b/@a", "x"};
  Parameter<Method> method{*this, "method", "How it is computed", by_default("svd")};

  void configure(const Instance& self) override {
    const Eigen::Index m = matrix.rows(), n = matrix.cols();
    if (m > most_rows || n > most_cols || m > n)
      self.report("matrix", "has " + std::to_string(m) + " rows and " + std::to_string(n) +
                                " columns; there is room for 6 and 12, and no more rows than columns");
  }

  void output(const Tick&) override {
    const Wide A = *matrix;
    const Short b = *vector;
    switch (*method) {
    case Method::svd:
      solution = Long(Eigen::JacobiSVD<Wide>(A, Eigen::ComputeThinU | Eigen::ComputeThinV).solve(b));
      break;
    case Method::orthogonal: solution = Long(Eigen::CompleteOrthogonalDecomposition<Wide>(A).solve(b)); break;
    case Method::normal: {
      const Short y = Eigen::LLT<Square>(Square(A.lazyProduct(A.transpose()))).solve(b);
      solution = Long(A.transpose().lazyProduct(y));
    }
    }
  }
};
HILDA_BLOCK(PseudoInverse, pseudo_inverse_doc)

} // namespace
} // namespace hilda
