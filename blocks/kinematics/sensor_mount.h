// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A force and torque sensor between a robot's flange and its tool, and the payload that it carries. Frames: base K,
// flange F, tool B, sensor S. All wrenches are exerted on the tool side.

#include "blocks/kinematics/unit_rotation.h"

#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {

/// On the tool side of a sensor: sensor axes, torque about the sensor's origin.
struct Load {
  Vector3 force, torque; ///< N, N m
};

/// The parameters of a mounted sensor: where it sits, and what it carries.
struct SensorMount {
  explicit SensorMount(Block& block)
      : tool_position(block, "tool_position", "m", "Tool frame's origin in the flange frame"),
        tool_rotation(block, "tool_rotation", "Tool axes to flange axes"),
        sensor_position(block, "sensor_position", "m", "Sensor's origin in the flange frame"),
        sensor_rotation(block, "sensor_rotation", "Sensor axes to flange axes"),
        payload_mass(block, "payload_mass", "kg", "Of all that the sensor carries", at_least(0.0)),
        payload_centre(block, "payload_centre", "m", "Its centre of mass, sensor axes"),
        gravity(block, "gravity", "m/s2", "Base axes", by_default("0 0 -9.81")) {}

  Parameter<Vector3> tool_position;
  Parameter<Quaternion> tool_rotation;
  Parameter<Vector3> sensor_position;
  Parameter<Quaternion> sensor_rotation;
  Parameter<double> payload_mass;
  Parameter<Vector3> payload_centre;
  Parameter<Vector3> gravity;

  void check(const Instance& instance) const {
    check_unit_length(instance, tool_rotation, "tool_rotation");
    check_unit_length(instance, sensor_rotation, "sensor_rotation");
  }

  /// Sensor in tool axes.
  Pose sensor_in_tool() const {
    return composed(inverted({*tool_position, (*tool_rotation).normalized()}),
                    {*sensor_position, (*sensor_rotation).normalized()});
  }

  /// What the sensor reads of the payload's weight and of its inertia, where its centre of mass is accelerated by
  /// `acceleration` (base axes). `flange`: flange axes to base axes.
  Load payload(const Quaternion& flange, const Vector3& acceleration) const {
    const Quaternion sensor = flange * (*sensor_rotation).normalized();
    const Vector3 force = sensor.conjugate() * Vector3(*payload_mass * (*gravity - acceleration));
    return {force, (*payload_centre).cross(force)};
  }
};

} // namespace hilda
