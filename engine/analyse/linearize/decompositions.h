#pragma once

#include <Eigen/Core>

// What takes the compiler longer than all else of this room, compiled once.

namespace hilda {

struct Eigensystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors; ///< in columns; empty where they were not asked for
};
Eigensystem eigensystem(const Eigen::MatrixXd& A, bool vectors);

bool is_invertible(const Eigen::MatrixXcd& A);
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A);

} // namespace hilda
