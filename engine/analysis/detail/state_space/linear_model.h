// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <Eigen/Core>
#include <complex>
#include <string>
#include <utility>
#include <vector>

namespace hilda::analysis {

/// A pole, and how far it may be off for all that `spread` and rounding tell. Exact where no other state moves with it
/// (an integrator, a delay line's); large for one of several that lie together.
struct Pole {
  std::complex<double> value;
  double error = 0;
};

/// A linear system about an operating point: x' = A x + B u, y = C x + D u, where x' is dx/dt (period 0) or x one
/// period later. All deviations are in SI; those of a quaternion are a rotation vector in body axes, rad.
struct LinearModel {
  std::vector<std::string> states, inputs, outputs; ///< "arm.q[2]"
  double period = 0;                                ///< s; 0: continuous
  Eigen::MatrixXd A, B, C, D;
  Eigen::MatrixXd spread; ///< of [A B; C D]: estimated error of each entry
  /// Entries of [A B; C D], row and column, where the derivatives of both sides differ.
  std::vector<std::pair<Eigen::Index, Eigen::Index>> kinks;
  /// Entries where no derivative exists: the value leaps, however small the change. Their spread is infinite.
  std::vector<std::pair<Eigen::Index, Eigen::Index>> jumps;
  /// Entries whose differences grow as the step shrinks, without a leap. Their spread is infinite.
  std::vector<std::pair<Eigen::Index, Eigen::Index>> steep;

  /// "wall.force per arm.x"
  std::string entry_name(Eigen::Index row, Eigen::Index col) const;
  /// The largest entry of `spread`, relative to the entry where that is above 1.
  double error() const;

  /// Eigenvalues of A, the least stable first.
  std::vector<std::complex<double>> poles() const;
  std::vector<double> pole_errors() const; ///< of each of poles()
  std::vector<Pole> poles_with_errors() const;
  /// A pole in the s plane: itself where the model is continuous, log(z)/period else.
  std::complex<double> continuous(std::complex<double> pole) const;
  /// y per u at `frequency`, rad/s; below pi/period where the model is discrete.
  Eigen::MatrixXcd response(double frequency) const;

  /// The same without the states that reach no output.
  LinearModel observable() const;
};

} // namespace hilda::analysis
