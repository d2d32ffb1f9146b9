// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

namespace hilda {
namespace {

struct RigidArm : Block {
  Input<Vector> torque{*this, "torque", "n", "N m", "Of the drives", rotational};
  Input<Vector> force{*this, "force", "n", "N", "Of the environment on the tip"};
  Input<Vector> disturbance{*this,      "disturbance", "n", "N m", "More torque, which no model knows",
                            rotational, optional};
  Output<Vector> q{*this, "q", "n", "rad", "Joint angles", from_state};
  Output<Vector> qd{*this, "qd", "n", "rad/s", "Joint velocities", from_state};
  Output<Vector> x{*this, "x", "n", "m", "Place of the tip", from_state};
  Output<Vector> xd{*this, "xd", "n", "m/s", "Velocity of the tip", from_state};
  Output<Vector> acceleration{*this, "acceleration", "n", "rad/s2", "Of the joints"};
  PlanarArmParameters arm{*this};
  Parameter<Vector> initial_position{*this, "initial_position", "n", "m", "Place of the tip at the start, at rest"};
  ContinuousState<Vector> angle{*this, "angle", "n", "rad", "Joint angles"};
  ContinuousState<Vector> rate{*this, "rate", "n", "rad/s", "Joint velocities"};

  void configure(const Instance& self) override {
    arm_ = arm.arm(self);
    check_reach(self, "initial_position", arm_, initial_position);
  }
  void initialize(const Instance&) override { angle = arm_.joints(Axes(*initial_position)); }
  void state_output(const Tick&) override {
    const Axes now = *angle, speed = *rate;
    q = now;
    qd = speed;
    x = arm_.position(now);
    xd = Axes(arm_.jacobian(now).lazyProduct(speed));
  }
  void output(const Tick&) override {
    const Axes now = *angle, speed = *rate;
    Axes u = *torque - arm_.load(now, speed) + arm_.jacobian(now).transpose().lazyProduct(Axes(*force));
    if (disturbance.connected()) u += *disturbance;
    acceleration = Axes(Eigen::LLT<AxesMatrix>(arm_.mass(now)).solve(u));
  }
  void derivative(const Tick&) override {
    angle.dot() = *rate;
    rate.dot() = *acceleration;
  }

private:
  PlanarArm arm_; // from the parameters, by configure
};
HILDA_BLOCK(RigidArm, "An arm with rigid joints: M(q) qdd + h(q, qd) = tau + J' f (Aghili, Eq. 1 and Appendix E).")

struct RigidArmModel : Block {
  Input<Vector> q{*this, "q", "n", "rad", "Joint angles"};
  Input<Vector> qd{*this, "qd", "n", "rad/s", "Joint velocities"};
  Output<Matrix> jacobian{*this, "jacobian", "n n", "m/rad", "J"};
  Output<Matrix> inertia{*this, "inertia", "n n", "kg", "Cartesian inertia (J M^-1 J')^-1"};
  Output<Vector> load{*this, "load", "n", "N m", "h: all torques against a motion without acceleration", rotational};
  Output<Vector> drift{*this, "drift", "n", "m/s2", "dJ/dt qd"};
  PlanarArmParameters arm{*this};

  void configure(const Instance& self) override { arm_ = arm.arm(self); }
  void output(const Tick&) override {
    const Axes now = *q, speed = *qd;
    const AxesMatrix J = arm_.jacobian(now);
    jacobian = J;
    inertia = AxesMatrix(mobility_of(arm_.mass(now), J).inverse());
    load = arm_.load(now, speed);
    drift = arm_.drift(now, speed);
  }

private:
  PlanarArm arm_; // from the parameters, by configure
};
HILDA_BLOCK(RigidArmModel, "What a controller knows of a rigid arm at its present state.")

} // namespace
} // namespace hilda
