// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Walls as data: what a rig's simulated environment shows about itself, so that the undelayed reference run can touch
// the same walls. One row an element:
//   kind | r (3) | n (3) | d | k | c | mu
// kind 0: the point r (m, tool axes) against a plane; n is the unit normal into the wall (W axes), penetration
//         n.p - d (m), stiffness k (N/m), damping c (N s/m), friction coefficient mu.
// kind 1: rotation about the axis n: phi = log(q), penetration n.phi - d (rad), k (N m/rad), c (N m s/rad); r is
// unused.

#include <hilda/frames.h>

namespace hilda {

inline constexpr int element_width = 11;
using ElementRow = Fixed<element_width>;

struct ContactElement {
  bool rotation = false;
  Vector3 r = Vector3::Zero(), n = Vector3::UnitX();
  double d = 0.0, k = 0.0, c = 0.0, mu = 0.0;

  template <typename Row> static ContactElement from(const Row& row) {
    ContactElement e;
    e.rotation = row[0] != 0.0;
    for (int i = 0; i < 3; ++i) e.r[i] = row[1 + i], e.n[i] = row[4 + i];
    e.d = row[7], e.k = row[8], e.c = row[9], e.mu = row[10];
    return e;
  }
  ElementRow row() const {
    ElementRow to;
    to << (rotation ? 1.0 : 0.0), r, n, d, k, c, mu;
    return to;
  }
};

/// How an element is touched.
struct Touch {
  double penetration = 0.0; ///< m or rad; below 0: free
  double rate = 0.0;        ///< m/s or rad/s
  double force = 0.0;       ///< spring and damper, N or N m; below 0 where they would pull
  bool pressed() const { return penetration > 0.0 && force > 0.0; }
};

inline Touch touch(const ContactElement& e, const Pose& pose, const Twist& twist) {
  Touch t;
  if (e.rotation) {
    const Vector3 phi = rotation_log(pose.orientation);
    t.penetration = e.n.dot(phi) - e.d;
    t.rate = e.n.dot(inverse_right_jacobian(phi, twist.angular()));
  } else {
    const PointState p = point_on(pose, twist, e.r);
    t.penetration = e.n.dot(p.position) - e.d;
    t.rate = e.n.dot(p.velocity);
  }
  t.force = e.k * t.penetration + e.c * t.rate;
  return t;
}

/// What an element that is touched with `force` does to the tool. Friction is -mu f tanh(|v|/1 mm/s) along the sliding
/// velocity.
inline Wrench wrench_of(const ContactElement& e, double force, const Pose& pose, const Twist& twist) {
  if (e.rotation) {
    const Vector3 phi = rotation_log(pose.orientation);
    return Wrench(Vector3(Vector3::Zero()), inverse_right_jacobian_transposed(phi, e.n * -force));
  }
  Vector3 f = e.n * -force;
  if (e.mu > 0.0) {
    const Vector3 v = point_on(pose, twist, e.r).velocity;
    const Vector3 sliding = v - e.n.dot(v) * e.n;
    const double speed = sliding.norm();
    if (speed > 0.0) f -= sliding * (e.mu * force * std::tanh(speed / 1e-3) / speed);
  }
  return Wrench(f, e.r.cross(Vector3(pose.orientation.conjugate() * f)));
}

} // namespace hilda
