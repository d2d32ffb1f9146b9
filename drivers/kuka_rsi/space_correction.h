// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/correction.h"
#include "drivers/kuka_rsi/telegram.h"

namespace hilda::kuka {

/// The correction of the space in which the robot is corrected, as it goes into an answer.
class SpaceCorrection {
public:
  void choose(Space space, const CorrectionChannels& channels) { space_ = space, channels_ = channels; }
  /// From what the robot reports before it is moved: its setpoint, or where it is if that is not sent.
  void begin(const RobotTelegram& first, CorrectionKind kind, CorrectionFrame frame) {
    const SixValues& joints = first.joint_setpoints.complete() ? first.joint_setpoints : first.joints;
    cartesian_.begin(pose_from_wire(first.setpoint.complete() ? first.setpoint.value : first.pose.value), kind, frame);
    axis_.begin(radians_from_degrees(joints.value), kind);
  }

  /// [loop] Writes what leads there. From then on it counts as taken.
  void next(const Pose& pose, const Vector6& joints, SensorTelegram& into) {
    write(cartesian() ? cartesian_.next(pose) : axis_.next(joints), into);
  }
  /// [loop] The last one was not taken.
  void undo() { cartesian() ? cartesian_.undo() : axis_.undo(); }
  /// Writes that for which the robot stays at what it has.
  void hold(SensorTelegram& into) const { write(cartesian() ? cartesian_.hold() : axis_.hold(), into); }

  const Pose& taken_pose() const { return cartesian_.taken(); }
  const Vector6& taken_joints() const { return axis_.taken(); }
  Pose rest_pose() const { return cartesian_.rest(); }
  Vector6 rest_joints() const { return axis_.rest(); }

private:
  bool cartesian() const { return space_ == Space::cartesian; }
  void write(const Six& values, SensorTelegram& into) const {
    for (std::size_t i = 0; i < 6; ++i) into.value[static_cast<std::size_t>(channels_.at[i])] = values[i];
  }

  Space space_ = Space::cartesian;
  CorrectionChannels channels_;
  CartesianCorrection cartesian_;
  AxisCorrection axis_;
};

} // namespace hilda::kuka
