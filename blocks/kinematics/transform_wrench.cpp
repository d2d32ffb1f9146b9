// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// The same wrench, about another point of the body: the force keeps its W axes, the torque is about the origin of C,
/// a frame fixed to body B, in C axes. The power is the same with either frame's twist.
struct TransformWrench : Block {
  Input<Wrench> wrench{*this, "wrench", "Force in W axes, torque about B's origin in B axes"};
  Input<Pose> pose{*this, "pose", "B in W"};
  Output<Wrench> transformed{*this, "transformed", "Force in W axes, torque about C's origin in C axes"};
  Parameter<Vector3> position{*this, "position", "m", "C's origin in B", by_default("0 0 0")};
  Parameter<Quaternion> rotation{*this, "rotation", "C axes to B axes", by_default("1 0 0 0")};

  void output(const Tick&) override {
    const Wrench given = *wrench;
    const Vector3 force = given.force();
    const Vector3 force_in_body = (*pose).orientation.conjugate() * force;
    const Vector3 torque = Vector3(given.torque()) - Vector3(*position).cross(force_in_body);
    transformed = Wrench(force, (*rotation).conjugate() * torque);
  }
};
HILDA_BLOCK(TransformWrench, "A wrench about the origin of another frame that is fixed to the body.")

} // namespace
} // namespace hilda
