// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_ROTATION_H
#define HILDA_ROTATION_H

// Rotation vectors and quaternions. A rotation vector phi turns by |phi| about phi/|phi|; q = exp(phi) is its
// quaternion.

#include <cmath>
#include <hilda/types.h>

namespace hilda {

/// Quaternion of the rotation vector `phi` (rad). Even in |phi|, odd in each component: mirrored input gives the
/// mirrored bits.
inline Quaternion rotation_exp(const Vector3& phi) {
  const double angle = std::sqrt(phi.dot(phi));
  const double half = 0.5 * angle;
  const double s = angle > 1e-4 ? std::sin(half) / angle : 0.5 - angle * angle / 48.0;
  return Quaternion(std::cos(half), s * phi.x(), s * phi.y(), s * phi.z());
}

/// Rotation vector of `q`, shorter than or equal to pi.
inline Vector3 rotation_log(const Quaternion& q) {
  const double flip = q.w() < 0.0 ? -1.0 : 1.0;
  const Vector3 v = flip * q.vec();
  const double n = std::sqrt(v.dot(v));
  const double w = flip * q.w();
  const double scale = n > 1e-4 ? 2.0 * std::atan2(n, w) / n : 2.0 / w * (1.0 - n * n / (3.0 * w * w));
  return scale * v;
}

/// w = J_r(phi) dphi/dt: the angular velocity in body axes.
inline Vector3 right_jacobian(const Vector3& phi, const Vector3& rate) {
  const double a2 = phi.dot(phi), a = std::sqrt(a2);
  const double first = a > 1e-4 ? (1.0 - std::cos(a)) / a2 : 0.5 - a2 / 24.0;
  const double second = a > 1e-4 ? (a - std::sin(a)) / (a2 * a) : 1.0 / 6.0 - a2 / 120.0;
  const Vector3 cross = phi.cross(rate);
  return rate - first * cross + second * phi.cross(cross);
}

namespace detail {
/// c of J_r^-1 = 1 + [phi]/2 + c [phi]^2
inline double inverse_jacobian_coefficient(double a2) {
  if (a2 < 1e-4) return 1.0 / 12.0 + a2 / 720.0 + a2 * a2 / 30240.0;
  const double half = 0.5 * std::sqrt(a2);
  return (1.0 - half * std::cos(half) / std::sin(half)) / a2;
}
} // namespace detail

/// dphi/dt = J_r^-1(phi) w
inline Vector3 inverse_right_jacobian(const Vector3& phi, const Vector3& w) {
  const Vector3 cross = phi.cross(w);
  return w + 0.5 * cross + detail::inverse_jacobian_coefficient(phi.dot(phi)) * phi.cross(cross);
}

/// J_r^-T(phi) g: the torque (body axes) of the generalised force g conjugate to dphi/dt.
inline Vector3 inverse_right_jacobian_transposed(const Vector3& phi, const Vector3& g) {
  const Vector3 cross = phi.cross(g);
  return g - 0.5 * cross + detail::inverse_jacobian_coefficient(phi.dot(phi)) * phi.cross(cross);
}

} // namespace hilda

#endif
