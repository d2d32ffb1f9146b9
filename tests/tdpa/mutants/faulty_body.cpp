// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/LU>
#include <hilda/block.h>

namespace hilda::test {
namespace {

enum class Fault { no_gyro, gyro_flipped, heavy, midpoint };

/// An Euler-integrated body that is wrong in one way:
///   no_gyro        forgets (I w) x w
///   gyro_flipped   has its sign wrong
///   heavy          is 1 per mille heavier than it says
///   midpoint       moves by the mean of this velocity and the next, so that its energy is that of another rule
struct FaultyBody : Block {
  Input<Wrench> wrench{*this, "wrench", "On the body", in_update};
  Output<Twist> twist{*this, "twist", "Of the body", from_state};
  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<Matrix3> inertia{*this, "inertia", "kg m2", "Of the body", rotational};
  Parameter<Vector3> velocity{*this, "velocity", "m/s", "At the start"};
  Parameter<Vector3> angular_velocity{*this, "angular_velocity", "rad/s", "At the start"};
  Parameter<Fault> fault{*this, "fault", "What is wrong"};
  State<Twist> moving{*this, "moving", "Now"};
  State<Twist> shown{*this, "shown", "What the outputs say"};

  void initialize(const Instance&) override { moving = shown = Twist(*velocity, *angular_velocity); }
  void state_output(const Tick&) override { twist = *shown; }
  void update(const Tick& t) override {
    const Twist now = *moving;
    const Wrench on = *wrench;
    const Vector3 w = now.angular(), gyro = (*inertia * w).cross(w);
    const double factor = *fault == Fault::no_gyro ? 0.0 : *fault == Fault::gyro_flipped ? -1.0 : 1.0;
    const Vector3 a = Vector3(on.force()) / (*fault == Fault::heavy ? 1.001 * *mass : *mass);
    const Vector3 turning = (*inertia).inverse() * Vector3(Vector3(on.torque()) + factor * gyro);
    const Twist next(Vector3(now.linear()) + t.period() * a, w + t.period() * turning);
    moving = next;
    shown = *fault == Fault::midpoint ? Twist(0.5 * (now + next)) : next;
  }
};
HILDA_BLOCK(FaultyBody, "An Euler-integrated body that is wrong on purpose.")

} // namespace
} // namespace hilda::test
