// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/sensor_flaws.h"

namespace hilda {
namespace {

/// A simulated six-axis force and torque sensor that rides on the tool: pure delay, and noise on the three forces, in
/// tool axes. What it says is turned into W axes with the pose that the robot reports.
struct ToolSensor : Block {
  Input<Wrench> wrench{*this, "wrench", "True: force in W axes, torque in B axes", conditional};
  Input<Pose> pose{*this, "pose", "True: B in W", conditional};
  Input<Pose> reported_pose{*this, "reported_pose", "As the robot reports it"};
  Output<Wrench> measured{*this, "measured", "Force in W axes, torque in B axes"};

  SensorFlaws flaws{*this, "Wrenches on their way, all in B axes"};

  bool feeds_through(const Instance&) const override { return flaws.feeds_through(); }
  void configure(const Instance& instance) override { flaws.configure(instance); }
  void prepare(const Instance& instance) override { flaws.prepare(instance); }

  void output(const Tick&) override {
    const Quaternion attitude = (*reported_pose).orientation;
    // Undelayed, the force is not turned there and back: it keeps its bits.
    Wrench now =
        flaws.delays() ? in_world(flaws.delayed([this] { return in_tool(*wrench, *pose); }), attitude) : *wrench;
    if (flaws.noisy()) now.force() += attitude * flaws.noise();
    measured = now;
  }
  void update(const Tick&) override {
    if (flaws.delays()) flaws.push(in_tool(*wrench, *pose));
    flaws.update();
  }

private:
  static Wrench in_tool(const Wrench& w, const Pose& at) {
    return Wrench(at.orientation.conjugate() * Vector3(w.force()), w.torque());
  }
  static Wrench in_world(const Wrench& w, const Quaternion& attitude) {
    return Wrench(attitude * Vector3(w.force()), w.torque());
  }
};
HILDA_BLOCK(ToolSensor, "A simulated force and torque sensor on the tool: pure delay and noise in tool axes.")

} // namespace
} // namespace hilda
