// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/emulation/planar_arm.h"

#include <numbers>

namespace hilda {
namespace {

constexpr const char* rate_control_doc =
    "Resolved-rate control of the target's drives that gives way to forces: r = J^-1 (v + A f) "
    "- thetad, tau = K_v r + K_p "
    "int r (Aghili, Appendix E).";

struct RateControl : Block {
  Input<Vector> velocity{*this, "velocity", "n", "m/s", "v: the operator's command"};
  Input<Vector> force{*this, "force", "n", "N", "f: of the environment on the tip"};
  Input<Matrix> jacobian{*this, "jacobian", "n n", "m/rad", "J of the target"};
  Input<Vector> drive_velocity{*this, "drive_velocity", "n", "rad/s", "thetad"};
  Output<Vector> torque{*this, "torque", "n", "N m", "Of the drives", rotational};
  Output<Vector> rate_error{*this, "rate_error", "n", "rad/s", "r"};
  Parameter<double> proportional{*this, "kv", "N m s/rad", "K_v", rotational, at_least(0.0), by_default("100")};
  Parameter<double> integral{*this, "kp", "N m/rad", "K_p", rotational, at_least(0.0), by_default("400")};
  Parameter<double> accommodation{*this, "accommodation", "m/s/N", "A: velocity given way to a force",
                                  by_default("0.001")};
  ContinuousState<Vector> sum{*this, "sum", "n", "rad", "int r"};

  void output(const Tick&) override {
    const Axes wanted = *velocity + *accommodation * *force;
    const Axes r = AxesMatrix(*jacobian).partialPivLu().solve(wanted) - *drive_velocity;
    rate_error = r;
    torque = Axes(*proportional * r + *integral * *sum);
  }
  void derivative(const Tick&) override { sum.dot() = *rate_error; }
};
HILDA_BLOCK(RateControl, rate_control_doc)

struct OperatorVelocity : Block {
  Output<Vector> y{*this, "y", "n", "m/s", "Velocity", from_state};
  Parameter<Vector> velocity{*this, "velocity", "n", "m/s", "In the end"};
  Parameter<double> rise{
      *this, "rise", "s", "Time over which it rises by half a cosine", at_least(0.0), by_default("0.5 s")};

  void state_output(const Tick& t) override {
    const double share = t.time() < *rise ? 0.5 * (1 - std::cos(std::numbers::pi * t.time() / *rise)) : 1.0;
    y = share * *velocity;
  }
};
HILDA_BLOCK(OperatorVelocity, "What an operator asks for: a velocity that rises by half a cosine and stays.")

} // namespace
} // namespace hilda
