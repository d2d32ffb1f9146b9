// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Position and velocity of a point that is fixed to a body (He and Shen 2022, Eq. 25 and 26).
struct PointMotion : Block {
  Input<Pose> pose{*this, "pose", "Body in W"};
  Input<Twist> twist{*this, "twist", "The body's motion"};
  Output<Vector3> position{*this, "position", "m", "The point in W"};
  Output<Vector3> velocity{*this, "velocity", "m/s", "Its velocity, W axes"};
  Parameter<Vector3> point{*this, "point", "m", "The point in body axes, from the body's origin", by_default("0 0 0")};

  [[gnu::flatten]] void output(const Tick&) override {
    const PointState p = point_on(*pose, *twist, *point);
    position = p.position;
    velocity = p.velocity;
  }
};
HILDA_BLOCK(PointMotion, "Position and velocity of a point fixed to a body: p + R r and v + (R w) x (R r) (He and "
                         "Shen 2022, Eq. 25 and 26).")

} // namespace
} // namespace hilda
