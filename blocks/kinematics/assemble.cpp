// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

// Parts of a wrench, twist or pose are wired by path (rig.wrench.force); these blocks put parts together.

namespace hilda {
namespace {

struct MakeWrench : Block {
  Input<Vector3> force{*this, "force", "N", "Force, W axes"};
  Input<Vector3> torque{*this, "torque", "N m", "Torque about B's origin, B axes", rotational};
  Output<Wrench> wrench{*this, "wrench", "Both"};

  void output(const Tick&) override { wrench = Wrench(*force, *torque); }
};
HILDA_BLOCK(MakeWrench, "A wrench from a force and a torque.")

struct MakeTwist : Block {
  Input<Vector3> linear{*this, "linear", "m/s", "Velocity of B's origin, W axes"};
  Input<Vector3> angular{*this, "angular", "rad/s", "Angular velocity, B axes"};
  Output<Twist> twist{*this, "twist", "Both"};

  void output(const Tick&) override { twist = Twist(*linear, *angular); }
};
HILDA_BLOCK(MakeTwist, "A twist from a velocity and an angular velocity.")

struct MakePose : Block {
  Input<Vector3> position{*this, "position", "m", "B's origin in W"};
  Input<Vector3> rotation{*this, "rotation", "rad", "Rotation vector, B axes to W axes"};
  Output<Pose> pose{*this, "pose", "Both; the orientation as a quaternion"};

  void output(const Tick&) override { pose = Pose{*position, rotation_exp(*rotation)}; }
};
HILDA_BLOCK(MakePose, "A pose from a position and a rotation vector.")

/// The other way round; a wire by path gives the orientation as a quaternion, which no plain filter takes.
struct SplitPose : Block {
  Input<Pose> pose{*this, "pose", "B in W"};
  Output<Vector3> position{*this, "position", "m", "B's origin in W"};
  Output<Vector3> rotation{*this, "rotation", "rad", "Rotation vector, B axes to W axes; at most pi long"};

  void output(const Tick&) override {
    const Pose given = *pose;
    position = given.position;
    rotation = rotation_log(given.orientation);
  }
};
HILDA_BLOCK(SplitPose, "The position and the rotation vector of a pose. The rotation vector jumps where it is pi long.")

} // namespace
} // namespace hilda
