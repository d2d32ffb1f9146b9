// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

namespace hilda {
namespace {

/// Drives behind springs and dampers: K (theta - q) + c (thetad - qd) moves the links.
struct Joints {
  explicit Joints(Block& block)
      : drive_inertia(block, "drive_inertia", "kg m2", "Of each drive, seen at the joint", rotational, above(0.0)),
        stiffness(block, "joint_stiffness", "N m/rad", "Of each joint", rotational, above(0.0)),
        damping(block, "joint_damping", "N m s/rad", "Of each joint", rotational, at_least(0.0), by_default("0")) {}
  PerElement<Dynamic> drive_inertia, stiffness, damping;

  void check(const Instance& self, Eigen::Index n) const {
    for (const auto* p : {&drive_inertia, &stiffness, &damping}) p->check(self, n, 1);
  }
  Axes spring(const Axes& theta, const Axes& theta_d, const Axes& q, const Axes& qd) const {
    Axes torque(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i)
      torque[i] = stiffness[i] * (theta[i] - q[i]) + damping[i] * (theta_d[i] - qd[i]);
    return torque;
  }
  template <typename Torque> Axes drive_acceleration(const Torque& drive, const Axes& springs) const {
    Axes a(springs.size());
    for (Eigen::Index i = 0; i < a.size(); ++i) a[i] = (drive[i] - springs[i]) / drive_inertia[i];
    return a;
  }
};

/// How the tip would move without a force, and how it gives way to one.
struct Tip {
  AxesMatrix jacobian, mobility;
  Axes free;
};
Tip tip_of(const PlanarArm& arm, const Axes& q, const Axes& qd, const Axes& springs) {
  Tip tip;
  tip.jacobian = arm.jacobian(q);
  const AxesMatrix M = arm.mass(q);
  tip.mobility = mobility_of(M, tip.jacobian);
  const Axes acceleration = Eigen::LLT<AxesMatrix>(M).solve(Axes(springs - arm.load(q, qd)));
  tip.free = tip.jacobian.lazyProduct(acceleration) + arm.drift(q, qd);
  return tip;
}

constexpr const char* free_doc =
    "Target robot with flexible joints, moved by its drives and by the measured force: M qdd + h = K (theta - q) + c "
    "(thetad - qd) + J' f, B thetadd = tau - K (theta - q) - c (thetad - qd) (Aghili, Eqs. 2, 23 and Appendix E).";

struct FlexibleTarget : Block {
  Input<Vector> torque{*this, "torque", "n", "N m", "Of the drives", rotational, in_update};
  Input<Vector> force{*this, "force", "n", "N", "Of the environment on the tip", in_update};
  Output<Vector> x{*this, "x", "n", "m", "Place of the tip", from_state};
  Output<Vector> xd{*this, "xd", "n", "m/s", "Velocity of the tip", from_state};
  Output<Vector> drive_velocity{*this, "drive_velocity", "n", "rad/s", "thetad", from_state};
  Output<Matrix> jacobian{*this, "jacobian", "n n", "m/rad", "J", from_state};
  Output<Vector> free_acceleration{
      *this,     "free_acceleration", "n", "m/s2", "xdd* = J M^-1 (spring - h) + dJ/dt qd: of the tip without a force",
      from_state};
  Output<Matrix> mobility{*this,     "mobility", "n n", "1/kg", "J M^-1 J', the inverse of the Cartesian inertia",
                          from_state};
  PlanarArmParameters arm{*this};
  Joints joints{*this};
  Parameter<Vector> initial_position{*this, "initial_position", "n", "m", "Place of the tip at the start, at rest"};
  ContinuousState<Vector> q{*this, "q", "n", "rad", "Joint angles"};
  ContinuousState<Vector> qd{*this, "qd", "n", "rad/s", "Joint velocities"};
  ContinuousState<Vector> theta{*this, "theta", "n", "rad", "Drive angles"};
  ContinuousState<Vector> theta_d{*this, "theta_d", "n", "rad/s", "Drive velocities"};

  void configure(const Instance& self) override {
    arm_ = arm.arm(self);
    joints.check(self, arm_.n);
    check_reach(self, "initial_position", arm_, initial_position);
  }
  void initialize(const Instance&) override {
    q = arm_.joints(Axes(*initial_position));
    theta = *q;
  }
  void state_output(const Tick&) override {
    const Axes now = *q, speed = *qd;
    const Tip tip = tip_of(arm_, now, speed, springs());
    x = arm_.position(now);
    xd = Axes(tip.jacobian.lazyProduct(speed));
    drive_velocity = *theta_d;
    jacobian = tip.jacobian;
    free_acceleration = tip.free;
    mobility = tip.mobility;
  }
  void derivative(const Tick&) override {
    const Axes now = *q, speed = *qd, pull = springs();
    const Axes u = pull - arm_.load(now, speed) + arm_.jacobian(now).transpose().lazyProduct(Axes(*force));
    q.dot() = *qd;
    qd.dot() = Axes(Eigen::LLT<AxesMatrix>(arm_.mass(now)).solve(u));
    theta.dot() = *theta_d;
    theta_d.dot() = joints.drive_acceleration(*torque, pull);
  }

private:
  Axes springs() const { return joints.spring(Axes(*theta), Axes(*theta_d), Axes(*q), Axes(*qd)); }
  PlanarArm arm_; // from the parameters, by configure
};
HILDA_BLOCK(FlexibleTarget, free_doc)

constexpr const char* constrained_doc =
    "The same target with its tip held to the emulating robot's: its joint angles come from outside, only its drives "
    "are "
    "integrated, B thetadd = tau - K (theta - q) - c (thetad - qd) (Aghili, Eqs. 16 to 24 with V = [0; I]).";

struct ConstrainedTarget : Block {
  Input<Vector> q{*this, "q", "n", "rad", "Joint angles that the constraint asks for"};
  Input<Vector> qd{*this, "qd", "n", "rad/s", "Joint velocities that the constraint asks for"};
  Input<Vector> torque{*this, "torque", "n", "N m", "Of the drives", rotational, in_update};
  Output<Vector> drive_velocity{*this, "drive_velocity", "n", "rad/s", "thetad", from_state};
  Output<Matrix> jacobian{*this, "jacobian", "n n", "m/rad", "J"};
  Output<Vector> free_acceleration{*this, "free_acceleration", "n", "m/s2",
                                   "xdd* = J M^-1 (spring - h) + dJ/dt qd: of the tip without a force"};
  Output<Matrix> mobility{*this, "mobility", "n n", "1/kg", "J M^-1 J', the inverse of the Cartesian inertia"};
  PlanarArmParameters arm{*this};
  Joints joints{*this};
  Parameter<Vector> initial_position{*this, "initial_position", "n", "m", "Place of the tip at the start, at rest"};
  ContinuousState<Vector> theta{*this, "theta", "n", "rad", "Drive angles"};
  ContinuousState<Vector> theta_d{*this, "theta_d", "n", "rad/s", "Drive velocities"};

  void configure(const Instance& self) override {
    arm_ = arm.arm(self);
    joints.check(self, arm_.n);
    check_reach(self, "initial_position", arm_, initial_position);
  }
  void initialize(const Instance&) override { theta = arm_.joints(Axes(*initial_position)); }
  void state_output(const Tick&) override { drive_velocity = *theta_d; }
  void output(const Tick&) override {
    const Tip tip = tip_of(arm_, Axes(*q), Axes(*qd), springs());
    jacobian = tip.jacobian;
    free_acceleration = tip.free;
    mobility = tip.mobility;
  }
  void derivative(const Tick&) override {
    theta.dot() = *theta_d;
    theta_d.dot() = joints.drive_acceleration(*torque, springs());
  }

private:
  Axes springs() const { return joints.spring(Axes(*theta), Axes(*theta_d), Axes(*q), Axes(*qd)); }
  PlanarArm arm_; // from the parameters, by configure
};
HILDA_BLOCK(ConstrainedTarget, constrained_doc)

} // namespace
} // namespace hilda
