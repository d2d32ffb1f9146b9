// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/kinematics/sensor_mount.h"

namespace hilda {
namespace {

/// From what a sensor between flange and tool reads to the wrench of the environment on the tool: the gauges' offset
/// and the weight of the payload in this attitude are taken off, then force and torque are moved to the tool's origin.
/// The payload's inertia stays in the reading: next to the simulated body's, as its mass over the body's.
struct WrenchFromSensor : Block {
  Input<Vector3> force{*this, "force", "N", "On the tool side, sensor axes"};
  Input<Vector3> torque{*this, "torque", "N m", "On the tool side, about the sensor's origin, sensor axes", rotational};
  Input<Pose> flange{*this, "flange", "Flange in the base frame"};
  Input<Pose> pose{*this, "pose", "Tool in W"};
  Output<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about the tool's origin in tool axes"};

  SensorMount mount{*this};
  Parameter<Vector3> force_offset{*this, "force_offset", "N", "What the unloaded gauges read, sensor axes",
                                  by_default("0 0 0")};
  Parameter<Vector3> torque_offset{
      *this, "torque_offset", "N m", "What the unloaded gauges read, sensor axes", by_default("0 0 0"), rotational};

  void configure(const Instance& instance) override { mount.check(instance); }
  void prepare(const Instance&) override { sensor_ = mount.sensor_in_tool(); }

  void output(const Tick&) override {
    const Load weight = mount.payload((*flange).orientation, Vector3::Zero());
    const Vector3 f = sensor_.orientation * Vector3(*force - *force_offset - weight.force);
    const Vector3 about_sensor = sensor_.orientation * Vector3(*torque - *torque_offset - weight.torque);
    wrench = Wrench((*pose).orientation * f, about_sensor + sensor_.position.cross(f));
  }

private:
  Pose sensor_; // in tool axes, from the parameters, by prepare
};
HILDA_BLOCK(WrenchFromSensor,
            "A flange-mounted sensor's reading as the wrench on the tool, without the payload's weight.")

} // namespace
} // namespace hilda
