// SPDX-License-Identifier: BSD-3-Clause
// Mass matrix, bias and Jacobian against MuJoCo, an independent implementation, at random states.

#include "blocks/arm/arm_model.h"
#include "blocks/arm/mujoco_evaluator.h"
#include "tests/diagrams/diagram_run.h"
#include "tests/project_folders.h"

#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

#ifdef HILDA_HAS_MUJOCO

struct Worst {
  double mass = 0, bias = 0, jacobian = 0;
};

Worst compare(const ArmTable& table, int states) {
  std::string error;
  const auto mujoco = MujocoEvaluator::create(table, error);
  EXPECT_NE(mujoco, nullptr) << error;
  ArmModel model(table);
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  ArmMatrix M(model.velocities(), model.velocities());
  ArmVector c(model.velocities()), nu(model.velocities());
  Worst worst;
  for (int k = 0; k < states; ++k) {
    Vector3 p;
    Vector q(model.joints());
    Quaternion turn(normal(generator), normal(generator), normal(generator), normal(generator));
    turn.normalize();
    for (double& x : p) x = normal(generator);
    for (double& x : q) x = 2 * normal(generator);
    for (double& x : nu) x = normal(generator);
    model.place(Matrix3(turn.toRotationMatrix()), q);
    mujoco->evaluate(p, turn, q, nu, M, c);
    worst.mass = std::max(worst.mass, (model.mass_matrix() - M).cwiseAbs().maxCoeff());
    worst.bias = std::max(worst.bias, (model.bias(nu) - c).cwiseAbs().maxCoeff());
    worst.jacobian = std::max(worst.jacobian,
                              (model.end_effector_jacobian() - mujoco->end_effector_jacobian()).cwiseAbs().maxCoeff());
  }
  return worst;
}

TEST(Mujoco, AgreesOnThePapersArm) {
  std::vector<std::string> errors;
  const auto table = read_arm_table((source_folder() + "/diagrams/tables/dyba_2023.txt").c_str(), errors);
  ASSERT_TRUE(table);
  const Worst worst = compare(*table, 200);
  EXPECT_LT(worst.mass, 1e-9);
  EXPECT_LT(worst.bias, 1e-9);
  EXPECT_LT(worst.jacobian, 1e-9);
}

TEST(Mujoco, AsEvaluatorGivesTheSameRun) {
  const auto run = [](const char* evaluator) { return run_diagram({"force_torque_control", {evaluator}, {}, 5.0}); };
  const DiagramRun own = run("evaluator=own"), mujoco = run("evaluator=mujoco");
  ASSERT_EQ(own.errors, "");
  ASSERT_EQ(mujoco.errors, "");
  for (const char* figure :
       {"joint_torque_max.j2", "contact.first_time", "contact.peak_force", "position_error_final.z"})
    EXPECT_NEAR(mujoco.figures.at(figure), own.figures.at(figure), 1e-9) << figure;
}

#else

TEST(Mujoco, AgreesOnThePapersArm) { GTEST_SKIP() << "not checked: MuJoCo is not installed (libmujoco-dev)"; }

TEST(Mujoco, ThatIsMissingIsSaidSo) {
  const DiagramRun r = run_diagram({"force_torque_control", {"evaluator=mujoco"}, {}, 1.0});
  EXPECT_NE(r.errors.find("libmujoco-dev"), std::string::npos) << r.errors;
}

#endif

} // namespace
} // namespace hilda::test
