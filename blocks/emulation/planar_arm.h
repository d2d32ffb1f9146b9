// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The arms of the emulation: one link (Aghili, Appendix E), whose tip's place is counted along its arc, x = l q; or two
// links in a plane, with x = (x, y) of the tip and centres of mass in the middle of the links.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <hilda/per_element.h>

namespace hilda {

inline constexpr int most_axes = 6;
/// n numbers, n by n numbers; no memory from the heap.
using Axes = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor | Eigen::DontAlign, most_axes, 1>;
using AxesMatrix = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor | Eigen::DontAlign, most_axes, most_axes>;

struct PlanarArm {
  int n = 1;
  double l1 = 1, l2 = 1, m1 = 0, m2 = 0, I1 = 1, I2 = 1; ///< m, kg, kg m2 about the centre of mass
  double gravity = 0, gravity_torque = 0;                ///< m/s2; N m on the first joint at q = 0
  double b1 = 0, b2 = 0;                                 ///< N m s/rad

  AxesMatrix mass(const Axes& q) const {
    AxesMatrix M(n, n);
    const double c1 = l1 / 2, c2 = l2 / 2;
    if (n == 1) {
      M(0, 0) = I1 + m1 * c1 * c1;
      return M;
    }
    const double c = std::cos(q[1]);
    M(1, 1) = I2 + m2 * c2 * c2;
    M(0, 1) = M(1, 0) = I2 + m2 * (c2 * c2 + l1 * c2 * c);
    M(0, 0) = I1 + m1 * c1 * c1 + I2 + m2 * (l1 * l1 + c2 * c2 + 2 * l1 * c2 * c);
    return M;
  }
  /// h: centrifugal, Coriolis, gravity and friction torques.
  Axes load(const Axes& q, const Axes& v) const {
    Axes h(n);
    const double c1 = l1 / 2, c2 = l2 / 2;
    if (n == 1) {
      h[0] = b1 * v[0] + (gravity_torque + m1 * gravity * c1) * std::cos(q[0]);
      return h;
    }
    const double s = m2 * l1 * c2 * std::sin(q[1]), outer = m2 * c2 * gravity * std::cos(q[0] + q[1]);
    const double inner = ((m1 * c1 + m2 * l1) * gravity + gravity_torque) * std::cos(q[0]);
    h[0] = -s * (2 * v[0] * v[1] + v[1] * v[1]) + inner + outer + b1 * v[0];
    h[1] = s * v[0] * v[0] + outer + b2 * v[1];
    return h;
  }
  Axes position(const Axes& q) const {
    Axes x(n);
    if (n == 1)
      x[0] = l1 * q[0];
    else
      x << l1 * std::cos(q[0]) + l2 * std::cos(q[0] + q[1]), l1 * std::sin(q[0]) + l2 * std::sin(q[0] + q[1]);
    return x;
  }
  AxesMatrix jacobian(const Axes& q) const {
    AxesMatrix J(n, n);
    if (n == 1) {
      J(0, 0) = l1;
      return J;
    }
    const double s = l2 * std::sin(q[0] + q[1]), c = l2 * std::cos(q[0] + q[1]);
    J << -l1 * std::sin(q[0]) - s, -s, l1 * std::cos(q[0]) + c, c;
    return J;
  }
  /// dJ/dt dq/dt
  Axes drift(const Axes& q, const Axes& v) const {
    Axes a = Axes::Zero(n);
    if (n == 1) return a;
    const double w = v[0] + v[1], a1 = l1 * v[0] * v[0], a2 = l2 * w * w;
    a << -a1 * std::cos(q[0]) - a2 * std::cos(q[0] + q[1]), -a1 * std::sin(q[0]) - a2 * std::sin(q[0] + q[1]);
    return a;
  }
  /// Joint angles of a place; of two links those with the elbow at q2 > 0. NaN out of reach.
  Axes joints(const Axes& x) const {
    Axes q(n);
    if (n == 1) {
      q[0] = x[0] / l1;
      return q;
    }
    const double c = (x.squaredNorm() - l1 * l1 - l2 * l2) / (2 * l1 * l2);
    q[1] = std::acos(c);
    q[0] = std::atan2(x[1], x[0]) - std::atan2(l2 * std::sin(q[1]), l1 + l2 * c);
    return q;
  }
};

/// J M^-1 J': what the tip gives way to a force, the inverse of the Cartesian inertia.
inline AxesMatrix mobility_of(const AxesMatrix& M, const AxesMatrix& J) {
  const Eigen::LLT<AxesMatrix> factor(M);
  const AxesMatrix turned = factor.solve(AxesMatrix(J.transpose()));
  return J.lazyProduct(turned);
}

/// The parameters of an arm, for blocks that have one.
struct PlanarArmParameters {
  explicit PlanarArmParameters(Block& block)
      : length(block, "length", "n", "m", "Of each link; one link: its tip's place is counted along the arc"),
        mass(block, "mass", "kg", "Of each link, in its middle", by_default("0")),
        inertia(block, "inertia", "kg m2", "Of each link about its centre of mass; with mass 0: about the joint",
                rotational),
        gravity(block, "gravity", "m/s2", "Against y; of one link against the arc at q = 0", by_default("0")),
        gravity_torque(block, "gravity_torque", "N m", "More weight on the first joint: this times cos q", rotational,
                       by_default("0")),
        friction(block, "friction", "N m s/rad", "Viscous, of each joint", rotational, at_least(0.0), by_default("0")) {
  }
  Parameter<Vector> length;
  PerElement<Dynamic> mass, inertia;
  Parameter<double> gravity, gravity_torque;
  PerElement<Dynamic> friction;

  /// The arm; after a report one that must not be used.
  PlanarArm arm(const Instance& self) const {
    PlanarArm a;
    const Eigen::Index n = length.size();
    if (n != 1 && n != 2) {
      self.report("length", "has " + std::to_string(n) + " links; there are arms of one and of two");
      return a;
    }
    for (const auto* p : {&mass, &inertia, &friction}) p->check(self, n, 1);
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!(length.data()[i] > 0)) self.report("length", "has a link that is not longer than 0");
      if (!(inertia[i] > 0)) self.report("inertia", "is not above 0; every link has one");
      if (!(mass[i] >= 0)) self.report("mass", "is below 0");
    }
    const Eigen::Index last = n - 1;
    a.n = static_cast<int>(n);
    a.l1 = length.data()[0], a.l2 = length.data()[last];
    a.m1 = mass[0], a.m2 = mass[last];
    a.I1 = inertia[0], a.I2 = inertia[last];
    a.b1 = friction[0], a.b2 = friction[last];
    a.gravity = *gravity, a.gravity_torque = *gravity_torque;
    return a;
  }
};

/// Reports a starting place that is out of reach, or where the tip cannot move in every direction.
template <typename Place>
void check_reach(const Instance& self, const char* slot, const PlanarArm& arm, const Place& x) {
  if (x.size() != arm.n) return;
  const Axes q = arm.joints(Axes(*x));
  if (!q.allFinite())
    self.report(slot, "is out of the arm's reach");
  else if (arm.n == 2 && std::abs(std::sin(q[1])) < 1e-6)
    self.report(slot, "stretches or folds the arm: it is singular there; start farther inside its reach");
}

} // namespace hilda
