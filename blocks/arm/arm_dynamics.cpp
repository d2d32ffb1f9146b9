// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/model_of_block.h"

namespace hilda {
namespace {

struct ArmDynamics : Block {
  Input<Pose> base_pose{*this, "base_pose", "Centre of mass and axes of the base, inertial"};
  Input<Twist> base_twist{*this, "base_twist", "Of the base; w in base axes"};
  Input<Vector> joint_position{*this, "joint_position", "n", "rad", "Joint angles"};
  Input<Vector> joint_velocity{*this, "joint_velocity", "n", "rad/s", "Joint velocities"};
  Output<Matrix> mass_matrix{*this,
                             "mass_matrix",
                             "n+6 n+6",
                             "",
                             "M for base velocity, base angular velocity (inertial axes), joint velocity; SI, mixed",
                             unrecorded};
  Output<Vector> bias{*this, "bias", "n+6", "", "c: centrifugal and Coriolis terms; N, N m, N m"};
  Output<double> kinetic_energy{*this, "kinetic_energy", "J", "nu' M nu / 2"};

  Parameter<Path> table{*this, "table", "As of FloatingArm"};
  Parameter<double> base_mass_scale{*this,      "base_mass_scale", "", "Multiplies the base's mass and inertia",
                                    above(0.0), by_default("1")};

  void infer(const Instance& self, const Inference& inference) override { infer_joints(self, inference, *table); }
  void configure(const Instance& self) override { model_ = model_from(self, *table, *base_mass_scale); }

  void output(const Tick&) override {
    const Matrix3 turn = (*base_pose).orientation.toRotationMatrix();
    model_->place(turn, *joint_position);
    const ArmVector nu = generalised_velocity(turn, *base_twist, *joint_velocity);
    const ArmMatrix& M = model_->mass_matrix();
    mass_matrix = M;
    bias = model_->bias(nu);
    kinetic_energy = 0.5 * nu.dot(ArmVector(M.lazyProduct(nu)));
  }

private:
  std::unique_ptr<ArmModel> model_; // from the table; holds nothing from one call to the next
};
HILDA_BLOCK(ArmDynamics, "Mass matrix, bias and kinetic energy of an arm on a free base (Dyba et al. 2023, Eqs. 1, 2).")

} // namespace
} // namespace hilda
