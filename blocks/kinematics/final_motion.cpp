// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Where a run ended: pose and twist of its last tick, for the summary.
struct FinalMotion : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<Pose> pose{*this, "pose", "B in W", in_update};
  Input<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes", in_update};

  State<Pose> last_pose{*this, "last_pose", "Of the last tick"};
  State<Twist> last_twist{*this, "last_twist", "Of the last tick"};

  void update(const Tick&) override {
    last_pose = *pose;
    last_twist = *twist;
  }

  void summarize(const Summary& summary) const override {
    static constexpr const char* velocity[] = {"final.velocity[0]", "final.velocity[1]", "final.velocity[2]"};
    static constexpr const char* angular[] = {"final.angular_velocity[0]", "final.angular_velocity[1]",
                                              "final.angular_velocity[2]"};
    static constexpr const char* position[] = {"final.position[0]", "final.position[1]", "final.position[2]"};
    const Twist v = *last_twist;
    const Pose p = *last_pose;
    for (int i = 0; i < 3; ++i) summary.number(velocity[i], v[i], "m/s");
    for (int i = 0; i < 3; ++i) summary.number(angular[i], v[3 + i], "rad/s");
    for (int i = 0; i < 3; ++i) summary.number(position[i], p.position[i], "m");
  }
};
HILDA_BLOCK(FinalMotion, "Velocity, angular velocity and position at the end of a run.")

} // namespace
} // namespace hilda
