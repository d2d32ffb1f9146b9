// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Twist of a frame C that is fixed to body B: v of C's origin in W axes, w in C axes.
struct TransformTwist : Block {
  Input<Pose> pose{*this, "pose", "B in W"};
  Input<Twist> twist{*this, "twist", "Twist of B"};
  Output<Twist> transformed{*this, "transformed", "Twist of C"};
  Parameter<Vector3> position{*this, "position", "m", "C's origin in B", by_default("0 0 0")};
  Parameter<Quaternion> rotation{*this, "rotation", "C axes to B axes", by_default("1 0 0 0")};

  void output(const Tick&) override {
    const Twist given = *twist;
    const PointState origin = point_on(*pose, given, *position);
    transformed = Twist(origin.velocity, (*rotation).conjugate() * Vector3(given.angular()));
  }
};
HILDA_BLOCK(TransformTwist, "Twist of a frame that is fixed to the body.")

} // namespace
} // namespace hilda
