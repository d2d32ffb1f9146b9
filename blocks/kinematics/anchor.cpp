// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/kinematics/unit_rotation.h"

#include <algorithm>
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// Places the world W of a diagram in a robot's base frame, so that the first commanded tool pose lies where the robot
/// is, and maps commanded tool poses on flange poses from then on: W in base = start (tool in flange)
/// command(0)^-1.
///
/// A simulated body may move from the first tick on, a robot begins at rest. With a `run_in` t_r the body is let start
/// ahead: its motion at tick 0, V, is added as V t_r h(t/t_r) with h(s) = 1/2 - s + s^3 - s^4/2, so that the robot
/// begins at rest, speeds up by V (3 s^2 - 2 s^3), at most 1.5 V/t_r, and is on the commanded path from t_r on. W lies
/// so that the path is right after the run-in: at tick 0 the robot is V t_r/2 ahead of the command.
struct Anchor : Block {
  Input<Pose> command_pose{*this, "command_pose", "Commanded tool pose in W", primes};
  Input<Twist> command_twist{*this, "command_twist",
                             "Commanded tool twist; its first value is what the run-in takes up", primes, in_update};
  Input<Pose> start_pose{*this, "start_pose", "Where the flange is kept at rest when the loop begins, base frame",
                         primes, in_update};
  Output<Pose> flange_command{*this, "flange_command", "Commanded flange pose, base frame"};
  Output<Pose> world{*this, "world", "W in the base frame", from_state};

  Parameter<Vector3> tool_position{*this, "tool_position", "m", "Tool frame's origin in the flange frame"};
  Parameter<Quaternion> tool_rotation{*this, "tool_rotation", "Tool axes to flange axes"};
  Parameter<Quaternion> world_rotation{*this, "world_rotation", "W axes to base axes, as the cell is meant to be used"};
  Parameter<double> start_tolerance{*this,         "start_tolerance",
                                    "rad",         "How far the anchored W axes may be turned from world_rotation",
                                    at_least(0.0), by_default("2 deg")};
  Parameter<double> run_in{*this,         "run_in",
                           "s",           "Time in which the robot takes up the body's first motion",
                           at_least(0.0), by_default("0 s")};

  State<Pose> placed{*this, "placed", "W in the base frame"};
  State<Twist> first{*this, "first", "Twist of the first command"};

  void configure(const Instance& instance) override {
    check_unit_length(instance, tool_rotation, "tool_rotation");
    check_unit_length(instance, world_rotation, "world_rotation");
  }

  void prepare(const Instance&) override { tool_ = {*tool_position, (*tool_rotation).normalized()}; }

  void prime(const Tick& t) override {
    first = *command_twist;
    const Pose begin = ahead(*command_pose, t.time());
    Pose world_in_base = composed(composed(*start_pose, tool_), inverted(begin));
    world_in_base.orientation.normalize();
    placed = world_in_base;
  }

  void state_output(const Tick&) override { world = *placed; }

  void output(const Tick& t) override {
    if (t.index() == 0) check_axes(t);
    flange_command = composed(composed(*placed, ahead(*command_pose, t.time())), inverted(tool_));
  }

private:
  /// The commanded pose and what the run-in adds to it at `time`.
  Pose ahead(const Pose& command, double time) const {
    if (time >= *run_in) return command;
    const double s = time / *run_in, h = 0.5 - s + s * s * s * (1.0 - 0.5 * s);
    const Twist V = *first;
    Pose pose;
    pose.position = command.position + Vector3(V.linear()) * (*run_in * h);
    pose.orientation = command.orientation * rotation_exp(Vector3(V.angular()) * (*run_in * h));
    return pose;
  }

  void check_axes(const Tick& t) const {
    const double off = rotation_log((*world_rotation).conjugate() * (*placed).orientation).norm();
    if (off > *start_tolerance)
      t.fail("the robot's start pose turns W away from world_rotation by more than start_tolerance; it is off by (rad)",
             off);
  }

  Pose tool_; // from the parameters, by prepare
};
HILDA_BLOCK(Anchor, "Places a diagram's world in a robot's base frame where the robot is, and maps its commands.")

} // namespace
} // namespace hilda
