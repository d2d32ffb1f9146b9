// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_FRAMES_H
#define HILDA_FRAMES_H

// Where a point or a frame that is fixed to a moving body is, how it moves, and what a wrench there amounts to.
// World W, body B. A pose is B's origin in W and the rotation from B to W; a twist is the velocity of B's origin in W
// axes and the angular velocity in B axes; a wrench is a force in W axes and a torque about B's origin in B axes.

#include <hilda/rotation.h>

namespace hilda {

/// Pose of C in A from the pose of B in A and of C in B.
inline Pose composed(const Pose& b_in_a, const Pose& c_in_b) {
  Pose c;
  c.position = b_in_a.position + b_in_a.orientation * c_in_b.position;
  c.orientation = b_in_a.orientation * c_in_b.orientation;
  return c;
}

/// Pose of A in B from the pose of B in A.
inline Pose inverted(const Pose& b_in_a) {
  Pose a;
  a.orientation = b_in_a.orientation.conjugate();
  a.position = -(a.orientation * b_in_a.position);
  return a;
}

struct PointState {
  Vector3 position; ///< m, W axes
  Vector3 velocity; ///< m/s, W axes
};

/// The point `r` (B axes) of a body.
inline PointState point_on(const Pose& pose, const Twist& twist, const Vector3& r) {
  const Vector3 arm = pose.orientation * r;
  const Vector3 spin = pose.orientation * Vector3(twist.angular());
  return {pose.position + arm, Vector3(twist.linear()) + spin.cross(arm)};
}

} // namespace hilda

#endif
