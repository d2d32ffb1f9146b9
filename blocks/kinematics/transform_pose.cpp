// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Pose of a frame C that is fixed to body B, and of a world that is placed in another one.
struct TransformPose : Block {
  Input<Pose> pose{*this, "pose", "B in W"};
  Output<Pose> transformed{*this, "transformed", "C in V: (W in V)(B in W)(C in B)"};
  Parameter<Vector3> position{*this, "position", "m", "C's origin in B", by_default("0 0 0")};
  Parameter<Quaternion> rotation{*this, "rotation", "C axes to B axes", by_default("1 0 0 0")};
  Parameter<Vector3> world_position{*this, "world_position", "m", "W's origin in V", by_default("0 0 0")};
  Parameter<Quaternion> world_rotation{*this, "world_rotation", "W axes to V axes", by_default("1 0 0 0")};

  void output(const Tick&) override {
    transformed = composed(composed({*world_position, *world_rotation}, *pose), {*position, *rotation});
  }
};
HILDA_BLOCK(TransformPose, "Pose of a frame fixed to the body, seen from another fixed world.")

} // namespace
} // namespace hilda
