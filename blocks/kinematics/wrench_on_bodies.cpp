// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// The wrench that a tool on one body receives from another body, as a wrench on each of them: action and reaction
/// along one line, so linear and angular momentum of the two stay what they were. Inverse of RelativeMotion.
struct WrenchOnBodies : Block {
  Input<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about the tool's origin in tool axes"};
  Input<Pose> service_pose{*this, "service_pose", "Centre of mass and axes of the tool's body, inertial"};
  Input<Pose> target_pose{*this, "target_pose", "Centre of mass and axes of the other body, inertial"};
  Output<Wrench> service{*this, "service", "On the tool's body: force inertial, torque about its centre in its axes"};
  Output<Wrench> target{*this, "target", "On the other body, likewise"};
  Parameter<Vector3> service_offset{*this, "service_offset", "m",
                                    "Tool frame's origin from the centre of mass of its body, body axes",
                                    by_default("0 0 0")};
  Parameter<Quaternion> service_rotation{*this, "service_rotation", "Tool axes to its body's axes",
                                         by_default("1 0 0 0")};
  Parameter<Quaternion> target_rotation{*this, "target_rotation", "W axes to the other body's axes",
                                        by_default("1 0 0 0")};

  [[gnu::flatten]] void output(const Tick&) override {
    const Pose s = *service_pose, t = *target_pose;
    const Wrench given = *wrench;
    const Vector3 force = (t.orientation * *target_rotation) * Vector3(given.force());
    const Vector3 torque = *service_rotation * Vector3(given.torque());
    const Vector3 force_in_body = s.orientation.conjugate() * force;
    service = Wrench(force, torque + Vector3(*service_offset).cross(force_in_body));
    const Vector3 arm = s.position + s.orientation * *service_offset - t.position;
    target = Wrench(-force, -(t.orientation.conjugate() * Vector3(s.orientation * torque + arm.cross(force))));
  }
};
HILDA_BLOCK(WrenchOnBodies, "A wrench on the tool as action on its body and reaction on the other.")

} // namespace
} // namespace hilda
