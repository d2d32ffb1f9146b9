#include "blocks/kinematics/sensor_mount.h"
#include <hilda/block.h>

namespace hilda {
namespace {

/// From what a sensor between flange and tool reads to the wrench of the environment on the tool: the gauges' offset
/// and the weight of the payload in this attitude are taken off, then force and torque are moved to the tool's origin.
/// The payload's inertia, its mass over that of the simulated body, stays in the reading.
struct WrenchFromSensor : Block {
  Input<Vector> reading{*this, "reading", "6", "",
                        "Force (N) and torque (N m) on the tool side, sensor axes, about the sensor's origin"};
  Input<Pose> flange{*this, "flange", "Flange in the base frame"};
  Input<Pose> pose{*this, "pose", "Tool in W"};
  Output<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about the tool's origin in tool axes"};

  SensorMount mount{*this};
  Parameter<Vector6> bias{*this, "bias", "", "Reading of the unloaded gauges: N and N m, sensor axes",
                          by_default("0 0 0 0 0 0")};

  void configure(const Instance& instance) override { mount.check(instance); }
  void prepare(const Instance&) override { sensor_ = mount.sensor_in_tool(); }

  void output(const Tick&) override {
    const Vector6 load = *reading - *bias - mount.payload((*flange).orientation, Vector3::Zero());
    const Vector3 force = sensor_.orientation * Vector3(load.head<3>());
    const Vector3 torque = sensor_.orientation * Vector3(load.tail<3>()) + sensor_.position.cross(force);
    wrench = Wrench((*pose).orientation * force, torque);
  }

private:
  Pose sensor_; // in tool axes, from the parameters, by prepare
};
HILDA_PLUGIN(WrenchFromSensor,
             "A flange-mounted sensor's reading as the wrench on the tool, without the payload's weight.")

} // namespace
} // namespace hilda
