// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/script.h"

#include <Eigen/Geometry>
#include <deque>

namespace witness {

/// Translation in m and rotation vector, base axes, from the pose at RSI_ON.
using Offset = Eigen::Matrix<double, 6, 1>;

/// A robot that follows what its controller asks for, with dead time and second order, and what its tool touches: two
/// walls across the rod's axis, which is the flange's z.
class Arm {
public:
  explicit Arm(const Script& script);

  /// A millisecond of the robot's own time, at the end of which this is asked for.
  void step(const Offset& asked);
  Eigen::Isometry3d flange() const;
  const Offset& offset() const { return actual_; }
  /// Of environment, weight and inertia on the sensor's tool side: force and torque, sensor axes.
  Eigen::Matrix<double, 6, 1> wrench() const;

private:
  Eigen::Vector3d contact_force() const;

  Eigen::Isometry3d start_ = Eigen::Isometry3d::Identity();
  Eigen::Quaterniond sensor_;
  std::deque<Offset> asked_; ///< not yet there: the dead time
  Offset actual_ = Offset::Zero(), velocity_ = Offset::Zero(), acceleration_ = Offset::Zero();
  double frequency_, damping_, gap_, stiffness_, payload_;
};

Eigen::Vector3d rotation_vector(const Eigen::Quaterniond& rotation);
Eigen::Quaterniond rotation_of(const Eigen::Vector3d& vector);

} // namespace witness
