// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/state_space/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <hilda/eigen_caches.h>
#include <unsupported/Eigen/MatrixFunctions>

namespace hilda::analysis {
namespace {
[[maybe_unused]] const bool caches_fixed = (detail::fix_eigen_caches(), true);
}

Eigensystem eigensystem(const Eigen::MatrixXd& A, bool vectors) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, vectors);
  return {solver.eigenvalues(), vectors ? Eigen::MatrixXcd(solver.eigenvectors()) : Eigen::MatrixXcd()};
}

bool is_invertible(const Eigen::MatrixXcd& A) { return Eigen::FullPivLU<Eigen::MatrixXcd>(A).isInvertible(); }

Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A) { return A.inverse(); }

Eigen::MatrixXd solved(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.partialPivLu().solve(B); }

Discretization discretized(const Eigen::MatrixXd& A, const Eigen::VectorXd& B, double step) {
  const Eigen::Index n = A.rows();
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + 1, n + 1);
  whole.topLeftCorner(n, n) = A * step, whole.topRightCorner(n, 1) = B * step;
  const Eigen::MatrixXd power = whole.exp();
  return {power.topLeftCorner(n, n), power.topRightCorner(n, 1)};
}

} // namespace hilda::analysis
