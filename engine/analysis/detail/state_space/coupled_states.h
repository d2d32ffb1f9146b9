// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>
#include <vector>

namespace hilda::analysis {

/// States that move each other, directly or through others, by the entries of `links` that are not 0: one list for
/// each such set. The eigenvalues of a matrix are those of its sets, so that a chain of integrators, and a delay line,
/// have theirs on the diagonal, exact.
std::vector<std::vector<Eigen::Index>> coupled_states(const Eigen::MatrixXd& links);

} // namespace hilda::analysis
