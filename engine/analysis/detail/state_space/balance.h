// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>

namespace hilda::analysis {

/// Powers of two d by which diag(1/d) A diag(d) has rows as large as its columns. States of very different sizes (um
/// next to N) cost the eigenvalues of A itself their digits.
Eigen::VectorXd balance(const Eigen::MatrixXd& A);

/// diag(1/d) A diag(d)
Eigen::MatrixXd scaled(const Eigen::MatrixXd& A, const Eigen::VectorXd& d);

} // namespace hilda::analysis
