// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// From the wrench that the tool exerts on the wall (W axes, moment about W's origin) to the wrench on the tool.
struct WrenchOnTool : Block {
  Input<Wrench> on_wall{*this, "on_wall", "On the wall: force and moment about W's origin, both in W axes"};
  Input<Pose> pose{*this, "pose", "Tool in W"};
  Output<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about the tool's origin in tool axes"};

  [[gnu::flatten]] void output(const Tick&) override {
    const Wrench given = *on_wall;
    const Pose tool = *pose;
    const Vector3 force = given.force();
    wrench =
        Wrench(-force, tool.orientation.conjugate() * Vector3(tool.position.cross(force) - Vector3(given.torque())));
  }
};
HILDA_BLOCK(WrenchOnTool, "The wrench on the wall, about W's origin in W axes, as the wrench on the tool.")

} // namespace
} // namespace hilda
