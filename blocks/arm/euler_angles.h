#pragma once

#include <algorithm>
#include <cmath>
#include <hilda/types.h>

namespace hilda {

/// Euler angles about x, y, z of R = Rz Ry Rx, rad.
inline Vector3 euler_angles(const Matrix3& R) {
  return {std::atan2(R(2, 1), R(2, 2)), -std::asin(std::clamp(R(2, 0), -1.0, 1.0)), std::atan2(R(1, 0), R(0, 0))};
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
