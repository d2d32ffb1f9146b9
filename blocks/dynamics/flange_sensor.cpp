// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/kinematics/sensor_mount.h"

namespace hilda {
namespace {

/// A simulated force and torque sensor between a robot's flange and its tool: it reads what touches the tool, and the
/// weight and inertia of the payload (a point mass at its centre). The inertia follows from the flange's twist:
/// a = (3 v(k) - 4 v(k-1) + v(k-2))/2T, which does not lag. kinematics/WrenchFromSensor undoes all but the inertia.
struct FlangeSensor : Block {
  Input<Wrench> wrench{*this, "wrench",
                       "On the tool: force in the axes of the world in which `pose` is, torque in tool axes"};
  Input<Pose> pose{*this, "pose", "Tool in that world"};
  Input<Pose> flange{*this, "flange", "Flange in the base frame"};
  Input<Twist> twist{*this, "twist", "Of the flange: v in base axes, w in flange axes"};
  Output<Vector3> force{*this, "force", "N", "On the tool side, sensor axes"};
  Output<Vector3> torque{*this, "torque", "N m", "On the tool side, about the sensor's origin, sensor axes",
                         rotational};

  SensorMount mount{*this};

  State<Vector3> velocity{*this, "velocity", "m/s", "Of the payload's centre a sample time ago, base axes"};
  State<Vector3> earlier{*this, "earlier", "m/s", "The same two sample times ago"};
  State<std::int64_t> known{*this, "known", "How many of the two there are"};

  void configure(const Instance& instance) override { mount.check(instance); }
  void prepare(const Instance&) override {
    sensor_ = mount.sensor_in_tool();
    centre_ = *mount.sensor_position + (*mount.sensor_rotation).normalized() * *mount.payload_centre;
  }

  void output(const Tick& t) override {
    const Vector3 acceleration =
        *known == 2 ? Vector3((3.0 * centre_velocity() - 4.0 * *velocity + *earlier) / (2.0 * t.period()))
                    : Vector3(Vector3::Zero());
    const Load own = mount.payload((*flange).orientation, acceleration);
    const Wrench given = *wrench;
    const Quaternion to_sensor = sensor_.orientation.conjugate();
    const Vector3 in_tool = (*pose).orientation.conjugate() * Vector3(given.force());
    force = Vector3(to_sensor * in_tool + own.force);
    torque = Vector3(to_sensor * Vector3(Vector3(given.torque()) - sensor_.position.cross(in_tool)) + own.torque);
  }

  void update(const Tick&) override {
    earlier = *velocity;
    velocity = centre_velocity();
    known = std::min<std::int64_t>(2, *known + 1);
  }

private:
  Vector3 centre_velocity() const { return point_on(*flange, *twist, centre_).velocity; }

  // from the parameters, by prepare
  Pose sensor_;                      // in tool axes
  Vector3 centre_ = Vector3::Zero(); // of the payload, flange axes
};
HILDA_BLOCK(FlangeSensor, "A simulated force and torque sensor between flange and tool, with its payload.")

} // namespace
} // namespace hilda
