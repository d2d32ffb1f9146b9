#include "engine/analyse/linearize/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <hilda/eigen_caches.h>

namespace hilda {
namespace {
[[maybe_unused]] const bool caches_fixed = (detail::fix_eigen_caches(), true);
}

Eigensystem eigensystem(const Eigen::MatrixXd& A, bool vectors) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, vectors);
  return {solver.eigenvalues(), vectors ? Eigen::MatrixXcd(solver.eigenvectors()) : Eigen::MatrixXcd()};
}

bool is_invertible(const Eigen::MatrixXcd& A) { return Eigen::FullPivLU<Eigen::MatrixXcd>(A).isInvertible(); }

Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A) { return A.inverse(); }

} // namespace hilda
