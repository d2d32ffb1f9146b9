// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/kinematics/unit_rotation.h"

#include <Eigen/LU>
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {

using Legs = Vector6;          ///< one number a leg
using LegPoints = Fixed<6, 3>; ///< one row a leg
inline constexpr int leg_count = 6;

/// A Stewart platform: six legs between joints of a base at rest in W and joints of the platform B. A leg's length is
/// the distance of its joints; d length/dt = u.v + (b x R^T u).w with u from base to platform (Merlet, Parallel
/// Robots).
struct Hexapod {
  Parameter<LegPoints> base_joints;
  Parameter<LegPoints> platform_joints;
  Parameter<Vector3> tool_position;
  Parameter<Quaternion> tool_rotation;
  Parameter<Vector3> base_position;
  Parameter<Quaternion> base_rotation;

  explicit Hexapod(Block& of)
      : base_joints(of, "base_joints", "m", "Joints of the legs on the base, one row each, base axes"),
        platform_joints(of, "platform_joints", "m", "Joints of the legs on the platform, one row each, platform axes"),
        tool_position(of, "tool_position", "m", "Tool frame's origin in the platform frame", by_default("0 0 0")),
        tool_rotation(of, "tool_rotation", "Tool axes to platform axes", by_default("1 0 0 0")),
        base_position(of, "base_position", "m", "Base frame's origin in W", by_default("0 0 0")),
        base_rotation(of, "base_rotation", "Base axes to W axes", by_default("1 0 0 0")) {}

  void configure(const Instance& instance) const {
    check_unit_length(instance, tool_rotation, "tool_rotation");
    check_unit_length(instance, base_rotation, "base_rotation");
  }

  void prepare() {
    const Pose base{*base_position, (*base_rotation).normalized()};
    const Pose platform = inverted({*tool_position, (*tool_rotation).normalized()});
    base_ = moved(*base_joints, base), platform_ = moved(*platform_joints, platform);
    reach_ = platform_.rowwise().norm().maxCoeff();
  }

  struct State {
    Legs lengths;
    Matrix6 jacobian; ///< d length/dt per v (W axes) and w (B axes)
  };

  State at(const Pose& pose) const {
    State s;
    const Matrix3 R = pose.orientation.toRotationMatrix();
    for (int i = 0; i < leg_count; ++i) {
      const Vector3 b = platform_.row(i).transpose();
      const Vector3 leg = pose.position + R * b - Vector3(base_.row(i).transpose());
      s.lengths[i] = leg.norm();
      const Vector3 along = leg / s.lengths[i];
      s.jacobian.row(i) << along.transpose(), b.cross(Vector3(R.transpose() * along)).transpose();
    }
    return s;
  }

  /// The determinant of the Jacobian with rotations measured at the outermost joint of the platform: a pure number,
  /// 0 where the legs leave a motion free.
  double stiffness_of(const Matrix6& jacobian) const { return jacobian.determinant() / (reach_ * reach_ * reach_); }

private:
  static LegPoints moved(const LegPoints& points, const Pose& by) {
    LegPoints to;
    for (int i = 0; i < leg_count; ++i)
      to.row(i) = (by.position + by.orientation * Vector3(points.row(i).transpose())).transpose();
    return to;
  }

  // from the parameters, by prepare
  LegPoints base_ = LegPoints::Zero(), platform_ = LegPoints::Zero(); // W axes; B axes
  double reach_ = 1.0;                                                // m
};

} // namespace hilda
