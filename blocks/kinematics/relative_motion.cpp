// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Motion of an assembly frame on one body as an observer sees it who rides on the assembly frame of another body
/// (He, Shen, Gao and Zhang 2022, Eq. 10 to 14). The observer's frame may accelerate and turn; the velocity is the
/// derivative of the position that it sees, so it holds -w_target x r, which the paper leaves out.
struct RelativeMotion : Block {
  Input<Pose> service_pose{*this, "service_pose", "Centre of mass and axes of the moving body, inertial"};
  Input<Twist> service_twist{*this, "service_twist", "Its motion: v inertial, w in its own axes"};
  Input<Pose> target_pose{*this, "target_pose", "Centre of mass and axes of the observer's body, inertial"};
  Input<Twist> target_twist{*this, "target_twist", "Its motion: v inertial, w in its own axes"};
  Output<Pose> pose{*this, "pose", "Assembly frame of the moving body in W, the observer's assembly frame"};
  Output<Twist> twist{*this, "twist", "Its motion seen from W: v in W axes, w in the moving frame's axes"};
  Parameter<Vector3> service_offset{*this, "service_offset", "m",
                                    "Assembly frame's origin from the moving body's centre of mass, body axes",
                                    by_default("0 0 0")};
  Parameter<Vector3> target_offset{*this, "target_offset", "m",
                                   "Assembly frame's origin from the observer's centre of mass, body axes",
                                   by_default("0 0 0")};
  Parameter<Quaternion> service_rotation{*this, "service_rotation", "Assembly axes to the moving body's axes",
                                         by_default("1 0 0 0")};
  Parameter<Quaternion> target_rotation{*this, "target_rotation", "Assembly axes to the observer's body axes",
                                        by_default("1 0 0 0")};

  [[gnu::flatten]] void output(const Tick&) override {
    const Pose s = *service_pose, t = *target_pose;
    const Quaternion tool = s.orientation * *service_rotation, world = t.orientation * *target_rotation;
    const PointState a = point_on(s, *service_twist, *service_offset), b = point_on(t, *target_twist, *target_offset);
    const Vector3 w_service = s.orientation * Vector3((*service_twist).angular());
    const Vector3 w_target = t.orientation * Vector3((*target_twist).angular());
    const Vector3 between = a.position - b.position;
    const Quaternion to_world = world.conjugate();
    Pose seen;
    seen.position = to_world * between;
    seen.orientation = (to_world * tool).normalized();
    pose = seen;
    twist = Twist(to_world * Vector3(a.velocity - b.velocity - w_target.cross(between)),
                  tool.conjugate() * Vector3(w_service - w_target));
  }
};
HILDA_BLOCK(RelativeMotion, "Motion of one body's assembly frame seen from another body's, which may accelerate (He, "
                            "Shen, Gao and Zhang 2022, Eq. 10 to 14).")

} // namespace
} // namespace hilda
