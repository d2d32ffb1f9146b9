// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>

// What takes the compiler longer than all else of this room, compiled once.

namespace hilda::analysis {

struct Eigensystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors; ///< in columns; empty where they were not asked for
};
Eigensystem eigensystem(const Eigen::MatrixXd& A, bool vectors);

bool is_invertible(const Eigen::MatrixXcd& A);
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A);

/// A^-1 B
Eigen::MatrixXd solved(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// x' = A x + B u from one time to the next, `step` s later, u held in between.
struct Discretization {
  Eigen::MatrixXd A;
  Eigen::VectorXd B;
};
Discretization discretized(const Eigen::MatrixXd& A, const Eigen::VectorXd& B, double step);

} // namespace hilda::analysis
