// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/kuka_frame.h"

#include <algorithm>
#include <cmath>

namespace hilda::kuka {
namespace {

constexpr double degree = M_PI / 180;
constexpr double millimetre = 1e-3;

Quaternion rotation_of(const Six& wire) {
  const auto half = [](double degrees) {
    return std::pair(std::cos(degrees * degree / 2), std::sin(degrees * degree / 2));
  };
  const auto [ca, sa] = half(wire[3]);
  const auto [cb, sb] = half(wire[4]);
  const auto [cc, sc] = half(wire[5]);
  return Quaternion(ca * cb * cc + sa * sb * sc, ca * cb * sc - sa * sb * cc, ca * sb * cc + sa * cb * sc,
                    sa * cb * cc - ca * sb * sc);
}

} // namespace

Pose pose_from_wire(const Six& wire) {
  Pose pose;
  pose.position << wire[0] * millimetre, wire[1] * millimetre, wire[2] * millimetre;
  pose.orientation = rotation_of(wire);
  return pose;
}

Six wire_from_pose(const Pose& pose) {
  const Matrix3 R = pose.orientation.normalized().toRotationMatrix();
  // Below this, cos(B) is the rounding of the matrix itself.
  constexpr double pole = 1e-9;
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  const double b = std::atan2(-R(2, 0), cosine);
  const double a = cosine > pole ? std::atan2(R(1, 0), R(0, 0)) : std::atan2(-R(0, 1), R(1, 1));
  const double c = cosine > pole ? std::atan2(R(2, 1), R(2, 2)) : 0;
  return {pose.position.x() / millimetre,
          pose.position.y() / millimetre,
          pose.position.z() / millimetre,
          a / degree,
          b / degree,
          c / degree};
}

Pose corrected(const Pose& from, const Six& correction, CorrectionFrame frame) {
  const Pose step = pose_from_wire(correction);
  Pose to;
  if (frame == CorrectionFrame::base) {
    to.position = from.position + step.position;
    to.orientation = step.orientation * from.orientation;
  } else {
    to.position = from.position + from.orientation * step.position;
    to.orientation = from.orientation * step.orientation;
  }
  to.orientation.normalize();
  return to;
}

Six correction_between(const Pose& from, const Pose& to, CorrectionFrame frame) {
  Pose step;
  const Quaternion back = from.orientation.conjugate();
  const Vector3 way = to.position - from.position;
  if (frame == CorrectionFrame::base) {
    step.position = way;
    step.orientation = to.orientation * back;
  } else {
    step.position = back * way;
    step.orientation = back * to.orientation;
  }
  return wire_from_pose(step);
}

double angle_between(const Quaternion& a, const Quaternion& b) {
  return 2 * std::acos(std::min(1.0, std::fabs(a.dot(b))));
}

Six degrees_from_radians(const Vector6& angles) {
  Six to;
  for (std::size_t i = 0; i < 6; ++i) to[i] = angles[static_cast<Eigen::Index>(i)] / degree;
  return to;
}

Vector6 radians_from_degrees(const Six& angles) {
  Vector6 to;
  for (std::size_t i = 0; i < 6; ++i) to[static_cast<Eigen::Index>(i)] = angles[i] * degree;
  return to;
}

} // namespace hilda::kuka
