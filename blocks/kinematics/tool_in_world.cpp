// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Where a robot's tool is in the world that an Anchor placed: world^-1 flange (tool in flange).
struct ToolInWorld : Block {
  Input<Pose> flange{*this, "flange", "Flange in the robot's base frame, as the robot reports it"};
  Input<Pose> world{*this, "world", "W in the base frame"};
  Output<Pose> pose{*this, "pose", "Tool in W"};

  Parameter<Vector3> tool_position{*this, "tool_position", "m", "Tool frame's origin in the flange frame"};
  Parameter<Quaternion> tool_rotation{*this, "tool_rotation", "Tool axes to flange axes"};

  void output(const Tick&) override {
    Pose tool = composed(composed(inverted(*world), *flange), {*tool_position, *tool_rotation});
    tool.orientation.normalize();
    pose = tool;
  }
};
HILDA_BLOCK(ToolInWorld, "A reported flange pose as the tool's pose in the world of the diagram.")

} // namespace
} // namespace hilda
