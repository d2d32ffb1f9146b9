// SPDX-License-Identifier: BSD-3-Clause
// What physics demands of the arm: momentum, energy, and the identity that defines the Dynamic Jacobian.

#include "tests/diagrams/diagram_run.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Eigen::Index;

Eigen::VectorXd vector(const DiagramRun& run, const std::string& signal, std::size_t tick, Index width) {
  Eigen::VectorXd v(width);
  for (Index i = 0; i < width; ++i)
    v[i] = run.at(signal, tick, static_cast<std::size_t>(width), static_cast<std::size_t>(i));
  return v;
}

Eigen::MatrixXd matrix(const DiagramRun& run, const std::string& signal, std::size_t tick, Index rows, Index cols) {
  return vector(run, signal, tick, rows * cols).reshaped(rows, cols);
}

TEST(Momentum, IsTheImpulseOfTheContact) {
  for (const char* diagram : {"cartesian_control", "force_torque_control"}) {
    const DiagramRun r = run_diagram({diagram, {}, {}, 17.0});
    ASSERT_EQ(r.errors, "");
    EXPECT_GT(r.figures.at("momentum.linear_max"), 4.0); // there was a contact
    EXPECT_LT(r.figures.at("momentum.residual"), 1e-9) << diagram;
  }
}

TEST(Admittance, RefusesAMassWithoutInverse) {
  const std::string errors = run_diagram({"force_torque_control", {"admittance.mass=0"}, {}, 0.01}).errors;
  EXPECT_NE(errors.find("has no inverse"), std::string::npos) << errors;
  EXPECT_EQ(run_diagram({"force_torque_control", {"admittance.mass=0.5"}, {}, 0.01}).errors, "");
}

TEST(FreeTumble, KeepsEnergyAndMomentum) {
  const DiagramRun r = run_diagram({"free_tumble", {}, {"dynamics.kinetic_energy"}, 10.0});
  ASSERT_EQ(r.errors, "");
  const std::vector<double>& energy = r.signals.at("dynamics.kinetic_energy");
  ASSERT_EQ(energy.size(), 10000u);
  EXPECT_GT(energy.front(), 0.1);
  for (const double e : energy) ASSERT_NEAR(e / energy.front(), 1.0, 1e-10);
  EXPECT_LT(r.figures.at("momentum.residual"), 1e-9);
}

TEST(DynamicJacobian, GivesTheEndEffectorsVelocityAtEveryMomentum) {
  const DiagramRun r = run_diagram({"free_tumble",
                                    {},
                                    {"arm.base_pose", "arm.base_twist", "arm.joint_velocity", "kinematics.velocity",
                                     "kinematics.jacobian", "kinematics.dynamic_jacobian", "dynamics.mass_matrix"},
                                    10.0});
  ASSERT_EQ(r.errors, "");
  double fastest = 0.0;
  for (std::size_t tick = 0; tick < 10000; tick += 100) {
    const Eigen::VectorXd pose = vector(r, "arm.base_pose", tick, 7), twist = vector(r, "arm.base_twist", tick, 6);
    const Eigen::Quaterniond turn(pose[3], pose[4], pose[5], pose[6]);
    Eigen::VectorXd nu(13);
    nu << twist.head<3>(), turn * Eigen::Vector3d(twist.tail<3>()), vector(r, "arm.joint_velocity", tick, 7);
    const Eigen::MatrixXd M = matrix(r, "dynamics.mass_matrix", tick, 13, 13);
    const Eigen::MatrixXd J = matrix(r, "kinematics.jacobian", tick, 6, 13);
    const Eigen::MatrixXd D = matrix(r, "kinematics.dynamic_jacobian", tick, 6, 7);
    const Eigen::VectorXd V = vector(r, "kinematics.velocity", tick, 6);
    const Eigen::VectorXd h = M.topRows(6) * nu;
    const Eigen::VectorXd by_momentum = J.leftCols(6) * M.topLeftCorner(6, 6).llt().solve(h);
    ASSERT_LT((V - D * nu.tail(7) - by_momentum).lpNorm<Eigen::Infinity>(), 1e-12) << tick;
    fastest = std::max(fastest, V.norm());
  }
  EXPECT_GT(fastest, 0.05);
}

TEST(Acceleration, IsWhatTheVelocitiesDo) {
  const DiagramRun r =
      run_diagram({"force_torque_control", {}, {"plant.arm.acceleration", "plant.arm.joint_velocity"}, 5.0});
  ASSERT_EQ(r.errors, "");
  // Torques are held over a tick, so the velocity's difference over it is the mean acceleration.
  for (std::size_t tick = 1000; tick < 4000; tick += 500) {
    const Eigen::VectorXd before = vector(r, "plant.arm.joint_velocity", tick, 7);
    const Eigen::VectorXd after = vector(r, "plant.arm.joint_velocity", tick + 1, 7);
    const Eigen::VectorXd rate = vector(r, "plant.arm.acceleration", tick, 13).tail(7);
    EXPECT_LT(((after - before) / 1e-3 - rate).norm(), 1e-3 * rate.norm() + 1e-6) << tick;
  }
}

} // namespace
} // namespace hilda::test
