// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Share of the way, and its two derivatives with respect to the share of the time.
struct Share {
  double s, v, a;
};
Share quintic(double u) {
  return {u * u * u * (10 + u * (-15 + 6 * u)), 30 * u * u * (1 - u) * (1 - u), 60 * u * (1 - u) * (1 - 2 * u)};
}
Share cubic(double u) { return {u * u * (3 - 2 * u), 6 * u * (1 - u), u < 1 ? 6 * (1 - 2 * u) : 0.0}; }

struct Profile : Block {
  enum class Kind { quintic, cubic };

  Output<Vector6> position{*this, "position", "", "Desired coordinates: position (m), Euler angles (rad)", from_state};
  Output<Vector6> velocity{*this, "velocity", "", "Their first derivative", from_state};
  Output<Vector6> acceleration{*this, "acceleration", "", "Their second derivative", from_state};
  Parameter<Vector3> from{*this, "start", "m", "Position at the start", by_default("0 0 0")};
  Parameter<Vector3> goal{*this, "goal", "m", "Position at the end", by_default("0 0 0")};
  Parameter<Vector3> start_angles{*this, "start_angles", "rad", "Euler angles at the start", by_default("0 0 0")};
  Parameter<Vector3> goal_angles{*this, "goal_angles", "rad", "Euler angles at the end", by_default("0 0 0")};
  Parameter<double> duration{*this, "duration", "s", "Of the motion; then it is at rest", above(0.0)};
  Parameter<Kind> kind{*this, "kind",
                       "Polynomial in time: at rest at both ends; cubic starts and ends with a step of acceleration",
                       by_default("quintic")};

  void state_output(const Tick& t) override {
    const double u = std::min(t.time() / *duration, 1.0);
    const Share way = *kind == Kind::quintic ? quintic(u) : cubic(u);
    Vector6 first, across;
    first << *from, *start_angles;
    across << *goal - *from, *goal_angles - *start_angles;
    position = Vector6(first + way.s * across);
    velocity = Vector6(way.v / *duration * across);
    acceleration = Vector6(way.a / (*duration * *duration) * across);
  }
};
HILDA_BLOCK(Profile, "A motion from one place to another along a straight line of coordinates, at rest at both ends.")

} // namespace
} // namespace hilda
