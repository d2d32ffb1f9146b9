// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/model_of_block.h"

#include <Eigen/LU>

namespace hilda {
namespace {

/// Rows of a Jacobian turned into other axes.
template <typename Jacobian> void turn_rows(const Matrix3& into, Jacobian& J) {
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    J.template block<3, 1>(0, i) = Vector3(into * J.template block<3, 1>(0, i));
    J.template block<3, 1>(3, i) = Vector3(into * J.template block<3, 1>(3, i));
  }
}

constexpr const char* arm_kinematics_doc =
    "Motion of the end effector of an arm on a free base, its Jacobian, and its Dynamic Jacobian J_m - J_s M_s^-1 "
    "M_sm, "
    "which maps joint velocities to the end effector's while the momentum is 0 (Dyba et al. 2023, Eqs. 5 to 8).";

struct ArmKinematics : Block {
  enum class RowAxes { tool, world };

  Input<Pose> base_pose{*this, "base_pose", "Centre of mass and axes of the base, inertial"};
  Input<Twist> base_twist{*this, "base_twist", "Of the base; w in base axes"};
  Input<Vector> joint_position{*this, "joint_position", "n", "rad", "Joint angles"};
  Input<Vector> joint_velocity{*this, "joint_velocity", "n", "rad/s", "Joint velocities"};
  Input<Pose> frame{*this, "frame", "A frame at rest in the inertial one; the inertial one where nothing drives it",
                    optional};
  Output<Pose> pose{*this, "pose", "End effector in `frame`"};
  Output<Vector6> velocity{*this, "velocity", "",
                           "Of the end effector's origin (m/s) and angular velocity (rad/s), both in axes of `frame`"};
  Output<Matrix> jacobian{*this,
                          "jacobian",
                          "6 n+6",
                          "",
                          "v and w of the end effector per base velocity, base angular velocity (inertial axes) and "
                          "joint velocity; rows in `axes`",
                          unrecorded};
  Output<Matrix> dynamic_jacobian{*this,
                                  "dynamic_jacobian",
                                  "6 n",
                                  "s/rad",
                                  "v (m/s) and w (rad/s) of the end effector per joint velocity; rows in `axes`",
                                  unrecorded};
  Output<Vector3> linear_momentum{*this, "linear_momentum", "kg m/s", "Of the whole system, inertial axes"};
  Output<Vector3> angular_momentum{*this, "angular_momentum", "kg m2/s",
                                   "Of the whole system about the inertial origin, inertial axes", rotational};
  Output<double> manipulability{*this, "manipulability", "",
                                "sqrt(det(J J')) of the Dynamic Jacobian; 0 where the arm is singular"};

  Parameter<Path> table{*this, "table", "As of FloatingArm: the model that the controller knows"};
  Parameter<double> base_mass_scale{*this,      "base_mass_scale", "", "Multiplies the base's mass and inertia",
                                    above(0.0), by_default("1")};
  Parameter<RowAxes> axes{*this, "axes", "Axes of the Jacobians' rows: the end effector's or inertial",
                          by_default("tool")};

  void infer(const Instance& self, const Inference& inference) override { infer_joints(self, inference, *table); }
  void configure(const Instance& self) override { model_ = model_from(self, *table, *base_mass_scale); }

  void output(const Tick&) override {
    const Pose base = *base_pose;
    const Matrix3 turn = base.orientation.toRotationMatrix();
    model_->place(turn, *joint_position);
    const ArmVector nu = generalised_velocity(turn, *base_twist, *joint_velocity);
    const ArmMatrix& M = model_->mass_matrix();
    const ArmFrame& end = model_->end_effector();
    ArmJacobian J = model_->end_effector_jacobian();
    JointJacobian D = model_->dynamic_jacobian(J);
    motion(base.position + end.origin, end.axes, J.lazyProduct(nu));
    manipulability = std::sqrt(std::max(0.0, Matrix6(D.lazyProduct(D.transpose())).determinant()));
    const Vector6 momentum = M.topRows<6>().lazyProduct(nu);
    linear_momentum = Vector3(momentum.head<3>());
    angular_momentum = Vector3(momentum.tail<3>() + base.position.cross(Vector3(momentum.head<3>())));
    if (*axes == RowAxes::tool) {
      const Matrix3 into = end.axes.transpose();
      turn_rows(into, J);
      turn_rows(into, D);
    }
    jacobian = J;
    dynamic_jacobian = D;
  }

private:
  void motion(const Vector3& place, const Matrix3& tool, const Vector6& rates) {
    const Pose seen_from = frame.value_or(Pose());
    const Quaternion into = seen_from.orientation.conjugate();
    Vector6 turned;
    turned << Vector3(into * Vector3(rates.head<3>())), Vector3(into * Vector3(rates.tail<3>()));
    pose = Pose{into * Vector3(place - seen_from.position), (into * Quaternion(tool)).normalized()};
    velocity = turned;
  }

  std::unique_ptr<ArmModel> model_; // from the table; holds nothing from one call to the next
};
HILDA_BLOCK(ArmKinematics, arm_kinematics_doc)

} // namespace
} // namespace hilda
