// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/euler_angles.h"
#include <hilda/frames.h>

#include <hilda/block.h>

namespace hilda {
namespace {

struct InitialPose : Block {
  Input<Pose> pose{*this, "pose", "A moving frame", primes, in_update};
  Output<Pose> fixed{*this, "fixed", "The other frame at the start", from_state};
  Parameter<Vector3> offset{*this, "offset", "m", "From the moving frame's origin at the start, in its axes",
                            by_default("0 0 0")};
  State<Pose> kept{*this, "kept", "Pose that is held"};

  void initialize(const Instance&) override { kept = Pose(); }
  void prime(const Tick&) override {
    const Pose first = *pose;
    kept = Pose{first.position + first.orientation * *offset, first.orientation};
  }
  void state_output(const Tick&) override { fixed = *kept; }
};
HILDA_BLOCK(InitialPose, "Keeps the pose that a frame has at the start, shifted by an offset in its axes.")

struct RelativePose : Block {
  Input<Pose> pose{*this, "pose", "A frame"};
  Input<Pose> frame{*this, "frame", "Another one, in the same world"};
  Output<Pose> relative{*this, "relative", "The first seen from the second"};
  void output(const Tick&) override { relative = composed(inverted(*frame), *pose); }
};
HILDA_BLOCK(RelativePose, "Pose of one frame seen from another.")

struct EulerZYX : Block {
  Input<Pose> pose{*this, "pose", "Of a frame"};
  Output<Vector6> coordinates{*this, "coordinates", "",
                              "Position (m) and Euler angles about x, y, z (rad), with R = Rz Ry Rx"};
  void output(const Tick&) override {
    const Pose now = *pose;
    Vector6 six;
    six << now.position, euler_angles(now.orientation.toRotationMatrix());
    coordinates = six;
  }
};
HILDA_BLOCK(EulerZYX, "A pose as six coordinates: position and Euler angles, R = Rz Ry Rx.")

struct RotateVelocity : Block {
  Input<Vector6> velocity{*this, "velocity", "", "Linear (m/s) and angular (rad/s), both in the world's axes"};
  Input<Pose> pose{*this, "pose", "Of the frame whose axes the output has"};
  Output<Vector6> turned{*this, "turned", "", "The same in that frame's axes"};
  void output(const Tick&) override {
    const Quaternion into = (*pose).orientation.conjugate();
    const Vector6 v = *velocity;
    Vector6 six;
    six << into * Vector3(v.head<3>()), into * Vector3(v.tail<3>());
    turned = six;
  }
};
HILDA_BLOCK(RotateVelocity, "Linear and angular velocity in the axes of a frame (Dyba et al. 2023, Eq. 16).")

struct WrenchTransform : Block {
  Input<Vector3> force{*this, "force", "N", "In axes of `frame`"};
  Input<Vector3> torque{*this,      "torque",
                        "N m",      "About the tool's origin, in axes of `frame`; 0 where nothing drives it",
                        rotational, optional};
  Input<Pose> frame{*this, "frame", "Whose axes force and torque are in"};
  Input<Pose> tool{*this, "tool", "The frame at which the wrench acts; needed for a torque alone", optional};
  Output<Wrench> wrench{*this, "wrench", "The same: force in world axes, torque in the tool's axes"};

  void configure(const Instance& self) override {
    if (torque.connected() && !tool.connected()) self.report("tool", "is needed with a torque: its axes carry it");
  }
  void output(const Tick&) override {
    const Quaternion turn = (*frame).orientation;
    Vector3 moment = Vector3::Zero();
    if (torque.connected()) moment = (*tool).orientation.conjugate() * Vector3(turn * *torque);
    wrench = Wrench(turn * *force, moment);
  }
};
HILDA_BLOCK(WrenchTransform, "A force, and a torque, in some frame's axes as a wrench.")

} // namespace
} // namespace hilda
