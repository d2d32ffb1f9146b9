// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <hilda/types.h>

namespace hilda {

/// The same near a pitch of +-90 degrees, where roll and yaw turn about nearly the same axis: the yaw is what can still
/// be read of it (0 where nothing can), and the roll what is left of R then, so that together they are R's.
inline Vector3 steep_euler_angles(const Matrix3& R) {
  const double level = std::hypot(R(0, 0), R(1, 0)), yaw = level > 1e-14 ? std::atan2(R(1, 0), R(0, 0)) : 0;
  const double s = std::sin(yaw), c = std::cos(yaw);
  return {std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1)), std::atan2(-R(2, 0), level), yaw};
}

/// Euler angles about x, y, z of R = Rz Ry Rx, rad.
inline Vector3 euler_angles(const Matrix3& R) {
  constexpr double steep = 0.9999; ///< of the sine of the pitch: within 0.9 degrees
  if (std::abs(R(2, 0)) > steep) return steep_euler_angles(R);
  return {std::atan2(R(2, 1), R(2, 2)), -std::asin(std::clamp(R(2, 0), -1.0, 1.0)), std::atan2(R(1, 0), R(0, 0))};
}

/// From one set of six coordinates (position, Euler angles) to another, each angle the shorter way round: that an angle
/// wraps at 180 degrees is not a motion.
inline Vector6 coordinate_change(const Vector6& from, const Vector6& to) {
  Vector6 change = to - from;
  for (Eigen::Index i = 3; i < 6; ++i)
    if (std::abs(change[i]) > M_PI) change[i] = std::remainder(change[i], 2 * M_PI);
  return change;
}

/// T of: angular velocity in body axes = T d/dt of the Euler angles.
inline Matrix3 euler_rates_to_body(const Vector3& angles) {
  const double cx = std::cos(angles.x()), sx = std::sin(angles.x());
  const double cy = std::cos(angles.y()), sy = std::sin(angles.y());
  Matrix3 T;
  T << 1, 0, -sy, 0, cx, sx * cy, 0, -sx, cx * cy;
  return T;
}

} // namespace hilda
