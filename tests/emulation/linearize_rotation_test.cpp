// SPDX-License-Identifier: BSD-3-Clause
// Quaternions in tangent coordinates: facts about a turning body's linear model that need no computing.

#include "tests/diagrams/diagram_run.h"
#include "tests/emulation/linear_trial.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double when = 2.0; // s: turned in every joint and about every axis of the base
constexpr std::size_t tick = 2000;

/// The tumbling arm at that time: states p, o (tangent), q, v, w (inertial axes), qd.
class TumblingArm : public testing::Test {
protected:
  static const Linearization& model() {
    static const LinearTrial trial =
        linearize_diagram("free_tumble", {}, {{"torque.y"}, {"arm.base_pose"}, when, LinearizeOptions().step});
    EXPECT_EQ(trial.errors, "");
    return trial.result.value();
  }
  static const DiagramRun& run() {
    static const DiagramRun r =
        run_diagram({"free_tumble", {}, {"arm.base_pose", "arm.base_twist", "arm.acceleration"}, when + 0.002});
    EXPECT_EQ(r.errors, "");
    return r;
  }
  static Vector3d three(const char* signal, std::size_t at, std::size_t width, std::size_t first) {
    return {run().at(signal, at, width, first), run().at(signal, at, width, first + 1),
            run().at(signal, at, width, first + 2)};
  }
  static Eigen::Quaterniond turn(std::size_t at = tick) {
    const Vector3d vec = three("arm.base_pose", at, 7, 4);
    return {run().at("arm.base_pose", at, 7, 3), vec.x(), vec.y(), vec.z()};
  }
  static Index place(const LinearModel& m, const char* state) {
    return std::find(m.states.begin(), m.states.end(), state) - m.states.begin();
  }

  /// How the state changes when the whole world is turned by a small `delta`, inertial axes.
  static Eigen::VectorXd world_turned(const LinearModel& m, const Vector3d& delta, std::size_t at) {
    const Vector3d p = three("arm.base_pose", at, 7, 0), v = three("arm.base_twist", at, 6, 0);
    const Vector3d w = turn(at) * three("arm.base_twist", at, 6, 3);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(m.A.rows());
    x.segment<3>(place(m, "arm.p[0]")) = delta.cross(p);
    x.segment<3>(place(m, "arm.o~x")) = turn(at).conjugate() * delta;
    x.segment<3>(place(m, "arm.v[0]")) = delta.cross(v);
    x.segment<3>(place(m, "arm.w[0]")) = delta.cross(w);
    return x;
  }
};

TEST_F(TumblingArm, HasThreeCoordinatesForTheFourNumbersOfItsQuaternion) {
  ASSERT_TRUE(model().continuous);
  const LinearModel& m = *model().continuous;
  EXPECT_EQ(m.A.rows(), 3 + 3 + 7 + 3 + 3 + 7); // place, attitude, joints, and their rates
  EXPECT_THAT(m.states, testing::IsSupersetOf({"arm.o~x", "arm.o~y", "arm.o~z"}));
  EXPECT_LT(m.error(), 1e-7);
  EXPECT_GT(turn().vec().norm(), 0.02); // not the identity
}

TEST_F(TumblingArm, AttitudeFollowsTheAngularVelocityInBodyAxes) {
  // R = R_0 exp(phi), w in inertial axes: dphi/dt = R_0' dw, and nothing else moves phi.
  const LinearModel& m = *model().continuous;
  const Index o = place(m, "arm.o~x"), w = place(m, "arm.w[0]");
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3, m.A.cols());
  expected.middleCols<3>(w) = turn().conjugate().toRotationMatrix();
  EXPECT_LT((m.A.middleRows<3>(o) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_F(TumblingArm, PoseFollowsTheAttitudeAsQuaternionsMultiply) {
  // dq = q (0, phi/2)
  const LinearModel& m = *model().continuous;
  const Index o = place(m, "arm.o~x");
  for (Index axis = 0; axis < 3; ++axis) {
    const Vector3d half = 0.5 * Vector3d::Unit(axis);
    const Eigen::Quaterniond change = turn() * Eigen::Quaterniond(0, half.x(), half.y(), half.z());
    const Eigen::Vector4d column(change.w(), change.x(), change.y(), change.z());
    EXPECT_LT((m.C.block<4, 1>(3, o + axis) - column).cwiseAbs().maxCoeff(), 1e-9) << axis;
  }
}

TEST_F(TumblingArm, TurnedAsAWholeAcceleratesAsBeforeInTurnedAxes) {
  const LinearModel& m = *model().continuous;
  const Vector3d dv = three("arm.acceleration", tick, 13, 0), dw = three("arm.acceleration", tick, 13, 3);
  ASSERT_GT(dv.norm() + dw.norm(), 1e-3);
  for (Index axis = 0; axis < 3; ++axis) {
    const Vector3d delta = Vector3d::Unit(axis);
    const Eigen::VectorXd rates = m.A * world_turned(m, delta, tick);
    EXPECT_LT((rates.segment<3>(place(m, "arm.v[0]")) - delta.cross(dv)).norm(), 1e-8) << axis;
    EXPECT_LT((rates.segment<3>(place(m, "arm.w[0]")) - delta.cross(dw)).norm(), 1e-8) << axis;
    EXPECT_LT(rates.segment<7>(place(m, "arm.qd[0]")).norm(), 1e-8) << axis; // the joints feel nothing of it
  }
}

TEST_F(TumblingArm, TurnedAsAWholeIsTurnedByAsMuchATickLater) {
  const LinearModel& m = model().discrete;
  for (Index axis = 0; axis < 3; ++axis) {
    const Vector3d delta = Vector3d::Unit(axis);
    const Eigen::VectorXd next = m.A * world_turned(m, delta, tick);
    EXPECT_LT((next - world_turned(m, delta, tick + 1)).norm(), 1e-8) << axis;
  }
}

} // namespace
} // namespace hilda::test
