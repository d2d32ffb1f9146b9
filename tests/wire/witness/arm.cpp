// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/arm.h"

#include <numbers>

namespace witness {
namespace {

const Eigen::Vector3d tip(0, 0, 0.25), sensor_at(0, 0, 0.05), payload_at(0, 0, 0.06);
const Eigen::Vector3d gravity(0, 0, -9.81);
constexpr double tick = 1e-3;

} // namespace

Eigen::Vector3d rotation_vector(const Eigen::Quaterniond& rotation) {
  const Eigen::AngleAxisd turned(rotation);
  const double angle = std::remainder(turned.angle(), 2 * std::numbers::pi);
  return angle * turned.axis();
}

Eigen::Quaterniond rotation_of(const Eigen::Vector3d& vector) {
  const double angle = vector.norm();
  return angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, vector / angle)) : Eigen::Quaterniond::Identity();
}

Arm::Arm(const Script& script)
    : sensor_(Eigen::AngleAxisd(std::numbers::pi / 6, Eigen::Vector3d::UnitZ())),
      frequency_(2 * std::numbers::pi * script.number("natural_frequency", 0)),
      damping_(script.number("damping_ratio", 0.7)), gap_(script.number("half_gap", 1e3) / 1e3),
      stiffness_(script.number("stiffness", 176275)), payload_(script.number("payload", 0)) {
  start_.translation() << 1.2, 0.1, 0.9;
  start_.linear() = Eigen::Quaterniond(0, 0, 1, 0).toRotationMatrix();
  asked_.assign(static_cast<std::size_t>(script.number("dead_time", 4)), Offset::Zero());
}

void Arm::step(const Offset& asked) {
  asked_.push_back(asked);
  const Offset target = asked_.front();
  asked_.pop_front();
  const Offset before = velocity_;
  if (frequency_ > 0) {
    velocity_ += tick * (frequency_ * frequency_ * (target - actual_) - 2 * damping_ * frequency_ * velocity_);
    actual_ += tick * velocity_;
  } else {
    velocity_ = (target - actual_) / tick;
    actual_ = target;
  }
  acceleration_ = (velocity_ - before) / tick;
}

Eigen::Isometry3d Arm::flange() const {
  Eigen::Isometry3d flange = start_;
  flange.translation() += actual_.head<3>();
  flange.linear() = (rotation_of(actual_.tail<3>()) * Eigen::Quaterniond(start_.linear())).toRotationMatrix();
  return flange;
}

Eigen::Vector3d Arm::contact_force() const {
  const Eigen::Vector3d axis = start_.linear() * Eigen::Vector3d::UnitZ();
  const double along = axis.dot(flange() * tip - start_ * tip);
  if (along > gap_) return -stiffness_ * (along - gap_) * axis;
  if (along < -gap_) return -stiffness_ * (along + gap_) * axis;
  return Eigen::Vector3d::Zero();
}

Eigen::Matrix<double, 6, 1> Arm::wrench() const {
  const Eigen::Matrix3d to_sensor = (flange().linear() * sensor_).transpose();
  const Eigen::Vector3d contact = to_sensor * contact_force();
  const Eigen::Vector3d payload = to_sensor * (payload_ * (gravity - acceleration_.head<3>()));
  const auto arm = [&](const Eigen::Vector3d& to) -> Eigen::Vector3d { return sensor_.inverse() * (to - sensor_at); };
  Eigen::Matrix<double, 6, 1> wrench;
  // The payload's centre is given in sensor axes, as in the rig.
  wrench << contact + payload, arm(tip).cross(contact) + payload_at.cross(payload);
  return wrench;
}

} // namespace witness
