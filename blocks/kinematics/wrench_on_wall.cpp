// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// From the wrench on the tool to the wrench that the tool exerts on the wall, which is what a sensor behind the wall
/// sees: all in W axes, moment about W's origin. With the pose that goes with the wrench, WrenchOnTool undoes it.
struct WrenchOnWall : Block {
  Input<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about the tool's origin in tool axes"};
  Input<Pose> pose{*this, "pose", "Tool in W"};
  Output<Wrench> on_wall{*this, "on_wall", "On the wall: force and moment about W's origin, both in W axes"};

  [[gnu::flatten]] void output(const Tick&) override {
    const Wrench given = *wrench;
    const Pose tool = *pose;
    const Vector3 force = given.force();
    on_wall = Wrench(-force, -(tool.orientation * Vector3(given.torque()) + tool.position.cross(force)));
  }
};
HILDA_BLOCK(WrenchOnWall, "The wrench on the tool as the wrench on the wall, about W's origin in W axes.")

} // namespace
} // namespace hilda
