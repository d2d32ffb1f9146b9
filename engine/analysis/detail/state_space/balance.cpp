// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/state_space/balance.h"

#include <cmath>

namespace hilda::analysis {

// Parlett and Reinsch, Numer. Math. 13 (1969).
Eigen::VectorXd balance(const Eigen::MatrixXd& A) {
  constexpr int most = 100;
  Eigen::VectorXd d = Eigen::VectorXd::Ones(A.rows());
  Eigen::MatrixXd rest = A.cwiseAbs();
  rest.diagonal().setZero();
  bool changed = rest.allFinite();
  for (int k = 0; changed && k < most; ++k) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double column = rest.col(i).sum(), row = rest.row(i).sum();
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * factor + row / factor < 0.95 * (column + row))) continue;
      d[i] *= factor;
      rest.col(i) *= factor, rest.row(i) /= factor;
      changed = true;
    }
  }
  return d;
}

Eigen::MatrixXd scaled(const Eigen::MatrixXd& A, const Eigen::VectorXd& d) {
  return d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
}

} // namespace hilda::analysis
