// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/export/equal_box.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace hilda::log {

std::optional<EqualBox> equal_box(double mass, const std::array<double, 9>& inertia) {
  const Eigen::Matrix3d I = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(inertia.data());
  if (!std::isfinite(mass) || !(mass > 0) || !I.allFinite()) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
  const Eigen::Vector3d moments = principal.eigenvalues();
  EqualBox box;
  for (int i = 0; i < 3; ++i) {
    const double square = 6.0 * (moments.sum() - 2.0 * moments[i]) / mass; // I_1 = m (b^2 + c^2) / 12
    if (!(square > -1e-9 * moments.sum() / mass) || !(moments.sum() > 0)) return std::nullopt;
    box.sides[static_cast<std::size_t>(i)] = std::sqrt(std::max(0.0, square));
  }
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  const Eigen::Quaterniond q(axes);
  box.orientation = {q.w(), q.x(), q.y(), q.z()};
  return box;
}

} // namespace hilda::log
