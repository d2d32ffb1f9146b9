// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

namespace hilda {
namespace {

constexpr const char* control_doc = "Makes a rigid arm's tip move and push like the target's: tau = h_r + J_r' [(Q - "
                                    "1) f + Mbar_r (xdd* - G_v edot - G_p "
                                    "e - dJ_r/dt qd_r)], Q = Mbar_r Mbar_s^-1, e = x_r - x (Aghili, Eqs. 9 to 11). "
                                    "With lambda wired, -force_gain (lambda "
                                    "- f) is added to the bracket (section 2.1): the error's inertia becomes Mbar_r + "
                                    "force_gain Mbar_s. lambda needs the "
                                    "arm's acceleration, so with an ideal actuator that closes an algebraic loop.";

struct EmulationControl : Block {
  Input<Vector> force{*this, "force", "n", "N", "f: of the environment on the tip"};
  Input<Vector> x_r{*this, "x_r", "n", "m", "Place of the arm's tip"};
  Input<Vector> xd_r{*this, "xd_r", "n", "m/s", "Its velocity"};
  Input<Vector> x{*this, "x", "n", "m", "Place of the target's tip"};
  Input<Vector> xd{*this, "xd", "n", "m/s", "Its velocity"};
  Input<Vector> free_acceleration{*this, "free_acceleration", "n", "m/s2", "xdd*: of the target's tip without a force"};
  Input<Matrix> mobility{*this, "mobility", "n n", "1/kg", "Mbar_s^-1 of the target"};
  Input<Matrix> jacobian{*this, "jacobian", "n n", "m/rad", "J_r of the arm"};
  Input<Matrix> inertia{*this, "inertia", "n n", "kg", "Mbar_r of the arm"};
  Input<Vector> load{*this, "load", "n", "N m", "h_r of the arm", rotational};
  Input<Vector> drift{*this, "drift", "n", "m/s2", "dJ_r/dt qd_r of the arm"};
  Input<Vector> multiplier{*this, "lambda", "n", "N", "Force that the constraint would need", optional};
  Output<Vector> torque{*this, "torque", "n", "N m", "Command to the drives", rotational};
  Output<Vector> error{*this, "error", "n", "m", "e = x_r - x"};
  Parameter<double> bandwidth{*this,      "bandwidth",           "rad/s", "w_c, of the motion controller: G_p = w_c^2",
                              above(0.0), by_default("10 rad/s")};
  Parameter<double> damping_ratio{*this, "damping_ratio", "", "zeta: G_v = 2 zeta w_c", at_least(0.0), by_default("1")};
  Parameter<double> force_gain{*this,         "force_gain",   "", "Of the force error; only with lambda wired",
                               at_least(0.0), by_default("1")};

  void configure(const Instance& self) override {
    if (force.size() > most_axes) self.report("force", "has more than six elements");
  }
  void output(const Tick&) override {
    const Axes f = *force, e = *x_r - *x, ed = *xd_r - *xd;
    const AxesMatrix M = *inertia, Q = M.lazyProduct(AxesMatrix(*mobility));
    const double gp = *bandwidth * *bandwidth, gv = 2 * *damping_ratio * *bandwidth;
    const Axes wanted = *free_acceleration - gv * ed - gp * e - *drift;
    Axes push = Q.lazyProduct(f) - f + M.lazyProduct(wanted);
    if (multiplier.connected()) push -= *force_gain * (*multiplier - f);
    torque = Axes(*load + AxesMatrix(*jacobian).transpose().lazyProduct(push));
    error = e;
  }
};
HILDA_BLOCK(EmulationControl, control_doc)

struct ConstraintForce : Block {
  Input<Vector> acceleration{*this, "acceleration", "n", "rad/s2", "Of the arm's joints"};
  Input<Matrix> jacobian{*this, "jacobian", "n n", "m/rad", "J_r of the arm"};
  Input<Vector> drift{*this, "drift", "n", "m/s2", "dJ_r/dt qd_r of the arm"};
  Input<Vector> free_acceleration{*this, "free_acceleration", "n", "m/s2", "xdd*: of the target's tip without a force"};
  Input<Matrix> mobility{*this, "mobility", "n n", "1/kg", "Mbar_s^-1 of the target"};
  Output<Vector> multiplier{*this, "lambda", "n", "N", "Mbar_s (xdd_r - xdd*)"};

  void output(const Tick&) override {
    const Axes tip = AxesMatrix(*jacobian).lazyProduct(Axes(*acceleration)) + *drift;
    multiplier = Axes(AxesMatrix(*mobility).partialPivLu().solve(Axes(tip - *free_acceleration)));
  }
};
HILDA_BLOCK(ConstraintForce,
            "Force that would hold the target's tip to the arm's: the Lagrange multiplier (Aghili, Eq. 7).")

struct FreeMotion : Block {
  Input<Vector> free_acceleration{
      *this, "free_acceleration", "n", "m/s2", "xdd*: of the target's tip without a force", in_update};
  Input<Matrix> mobility{*this, "mobility", "n n", "1/kg", "Mbar_s^-1", in_update};
  Input<Vector> force{*this, "force", "n", "N", "Measured", in_update};
  Output<Vector> x{*this, "x", "n", "m", "Place", from_state};
  Output<Vector> xd{*this, "xd", "n", "m/s", "Velocity", from_state};
  Parameter<Vector> initial_position{*this, "initial_position", "n", "m", "At the start, at rest"};
  ContinuousState<Vector> place{*this, "place", "n", "m", "Place"};
  ContinuousState<Vector> speed{*this, "speed", "n", "m/s", "Velocity"};

  void initialize(const Instance&) override { place = *initial_position; }
  void state_output(const Tick&) override {
    x = *place;
    xd = *speed;
  }
  void derivative(const Tick&) override {
    place.dot() = *speed;
    speed.dot() = Axes(*free_acceleration + AxesMatrix(*mobility).lazyProduct(Axes(*force)));
  }
};
HILDA_BLOCK(FreeMotion,
            "Where the target's tip would be under the measured force: xdd = xdd* + Mbar_s^-1 f, integrated "
            "twice. Only with it both lambda - f = Mbar_s edd and Aghili's Eq. 12 hold.")

} // namespace
} // namespace hilda
