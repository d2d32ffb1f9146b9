// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/arm/arm_table.h"

#include <vector>

namespace hilda {

namespace arm {
inline constexpr int most_velocities = 6 + most_joints;
template <int Rows, int Cols, int MostRows, int MostCols>
using Bounded = Eigen::Matrix<double, Rows, Cols, Eigen::ColMajor | Eigen::DontAlign, MostRows, MostCols>;
} // namespace arm
/// (6 + n) x (6 + n)
using ArmMatrix = arm::Bounded<Dynamic, Dynamic, arm::most_velocities, arm::most_velocities>;
/// 6 + n
using ArmVector = arm::Bounded<Dynamic, 1, arm::most_velocities, 1>;
/// 6 x (6 + n)
using ArmJacobian = arm::Bounded<6, Dynamic, 6, arm::most_velocities>;
/// n
using JointVector = arm::Bounded<Dynamic, 1, most_joints, 1>;
/// 6 x n
using JointJacobian = arm::Bounded<6, Dynamic, 6, most_joints>;

/// A point or body of the arm: axes, origin and centre of mass from the base's centre of mass, in inertial axes.
struct ArmFrame {
  Matrix3 axes;
  Vector3 origin;
  Vector3 com;
};

/// What the sensor between two links feels, in its own axes: force and torque of the links before it on those behind.
struct SensorLoad {
  Vector3 force, torque;
};

/// Dynamics of a serial arm on a free base: M(q) dnu/dt + c = [0; 0; u] + J' f, with nu = [v of the base's centre of
/// mass; w of the base; dq/dt], all in inertial axes (Dyba et al. 2023, Eqs. 1 to 8, with the contact that Eqs. 3 and 4
/// leave out). The mass matrix comes from composite bodies, the bias from one pass of Newton and Euler. Nothing here
/// takes memory after construction.
///
/// place() first; then whatever is required.
class ArmModel {
public:
  explicit ArmModel(ArmTable table, double base_scale = 1.0);

  int joints() const { return n_; }
  int velocities() const { return 6 + n_; }
  const ArmTable& table() const { return table_; }

  /// All frames for the base axes and the joint angles.
  template <typename Joints> void place(const Matrix3& base_axes, const Joints& q) {
    base_ = base_axes;
    for (int i = 0; i < n_; ++i) q_[i] = q[i];
    place();
  }
  const ArmFrame& end_effector() const { return frames_.back(); }
  const ArmFrame& sensor() const { return frames_[static_cast<std::size_t>(table_.sensor - 1)]; }

  /// M(q); stays valid until the next call.
  const ArmMatrix& mass_matrix();
  /// c(q, nu)
  const ArmVector& bias(const ArmVector& nu);
  /// Velocity and angular velocity of a point (from the base's centre of mass, inertial axes) per nu; the point belongs
  /// to the body of link `link` (counted from 0).
  ArmJacobian jacobian(const Vector3& point, int link) const;
  ArmJacobian end_effector_jacobian() const { return jacobian(end_effector().origin, last_link()); }
  ArmJacobian sensor_jacobian() const { return jacobian(sensor().origin, table_.sensor - 1); }
  /// J_m - J_s M_s^-1 M_sm (Eq. 8) of a full Jacobian, for the mass matrix computed last.
  JointJacobian dynamic_jacobian(const ArmJacobian& full) const;
  /// dnu/dt for joint torques and a wrench at the sensor's origin, both of it in inertial axes.
  template <typename Torques>
  const ArmVector& acceleration(const ArmVector& nu, const Torques& u, const Vector3& force, const Vector3& moment) {
    mass_matrix();
    bias(nu);
    right_side_ = -bias_;
    for (int i = 0; i < n_; ++i) right_side_[6 + i] += u[i];
    return solve(force, moment);
  }
  /// The load in the sensor while the arm moves with dnu/dt under that wrench at the sensor's origin.
  SensorLoad sensor_load(const ArmVector& nu, const ArmVector& rate, const Vector3& force, const Vector3& moment);

  // For another source of M and c (MuJoCo): what acceleration() and dynamic_jacobian() use from then on.
  ArmMatrix& mass_storage() { return mass_; }
  ArmVector& bias_storage() { return bias_; }
  /// acceleration() from M and c as they lie in the storage.
  template <typename Torques>
  const ArmVector& acceleration_from_storage(const Torques& u, const Vector3& force, const Vector3& moment) {
    right_side_ = -bias_;
    for (int i = 0; i < n_; ++i) right_side_[6 + i] += u[i];
    return solve(force, moment);
  }

private:
  struct Load {
    Vector3 force, moment; ///< moment about the base's centre of mass
  };
  struct Composite {
    double mass = 0;
    Vector3 first = Vector3::Zero();  ///< mass times centre
    Matrix3 second = Matrix3::Zero(); ///< inertia about the base's centre of mass
  };

  int last_link() const { return static_cast<int>(table_.links.size()) - 1; }
  void place();
  void joint_column(int j, const Composite& outer);
  /// Inertial load of every link for nu and its rate (null: no rate), into loads_.
  void link_loads(const ArmVector& nu, const ArmVector* rate);
  const ArmVector& solve(const Vector3& force, const Vector3& moment);

  ArmTable table_;
  int n_;
  Matrix3 base_ = Matrix3::Identity();
  JointVector q_;
  std::vector<ArmFrame> frames_;       ///< by link
  std::vector<Vector3> axes_, pivots_; ///< by joint
  std::vector<Load> loads_;            ///< by link
  ArmMatrix mass_;
  ArmVector bias_, right_side_;
};

} // namespace hilda
