// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// How a robot's tool moves in a world W that is at rest in the robot's base frame, from the motion of its flange.
struct ToolTwist : Block {
  Input<Pose> flange{*this, "flange", "Flange in the robot's base frame"};
  Input<Twist> twist{*this, "twist", "Of the flange: v in base axes, w in flange axes"};
  Input<Pose> world{*this, "world", "W in the base frame"};
  Output<Twist> tool{*this, "tool", "Of the tool: v of its origin in W axes, w in tool axes"};

  Parameter<Vector3> tool_position{*this, "tool_position", "m", "Tool frame's origin in the flange frame"};
  Parameter<Quaternion> tool_rotation{*this, "tool_rotation", "Tool axes to flange axes"};

  void output(const Tick&) override {
    const Twist given = *twist;
    const Vector3 velocity = point_on(*flange, given, *tool_position).velocity;
    tool = Twist((*world).orientation.conjugate() * velocity, (*tool_rotation).conjugate() * Vector3(given.angular()));
  }
};
HILDA_BLOCK(ToolTwist, "Motion of a robot's tool in a world that is at rest in its base frame.")

} // namespace
} // namespace hilda
