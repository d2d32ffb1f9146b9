// SPDX-License-Identifier: BSD-3-Clause
// Where a rig's world is and how its tool moves in it, in oblique frames and in turning motion, against closed
// forms.

#include "tests/hardware/rig_parts.h"

namespace hilda::test {
namespace {

TEST(Anchor, BeginsWhereTheRobotStandsAndKeepsTheCommandedMotion) {
  const DiagramRun r = run(anchored(""), {"body.pose", "anchor.flange_command", "anchor.world", "back.pose"}, 1.0);
  const Pose start{Vector3(1.2, 0.1, 0.9), rotation_exp(Vector3(0.3, 2.1, -0.7))};
  EXPECT_LT(apart(pose_at(r, "anchor.flange_command", 0), start), 1e-14);
  for (std::size_t k = 0; k < 250; k += 31) {
    EXPECT_LT(apart(pose_at(r, "back.pose", k), pose_at(r, "body.pose", k)), 1e-14);
    EXPECT_EQ(apart(pose_at(r, "anchor.world", k), pose_at(r, "anchor.world", 0)), 0.0);
    const Pose flange =
        composed(composed(pose_at(r, "anchor.world", k), pose_at(r, "body.pose", k)), inverted(tool_in_flange));
    EXPECT_LT(apart(pose_at(r, "anchor.flange_command", k), flange), 1e-14);
  }
}

TEST(Anchor, ARunInStartsAtRestIsNowhereFasterThanTheCommandAndEndsOnItsPath) {
  const double run_in = 0.2;
  const DiagramRun r = run(anchored("run_in=\"0.2 s\""), {"body.pose", "back.pose", "anchor.flange_command"}, 0.4);
  const Pose start{Vector3(1.2, 0.1, 0.9), rotation_exp(Vector3(0.3, 2.1, -0.7))};
  EXPECT_LT(apart(pose_at(r, "anchor.flange_command", 0), start), 1e-14);
  EXPECT_LT(apart(pose_at(r, "back.pose", 0), ahead(pose_at(r, "body.pose", 0), moving, run_in / 2)), 1e-14);
  double before = 0;
  for (std::size_t k = 0; k + 1 < 100; ++k) {
    const Pose now = pose_at(r, "back.pose", k), next = pose_at(r, "back.pose", k + 1);
    const double speed = (next.position - now.position).norm() / T;
    const double turning = rotation_log(now.orientation.conjugate() * next.orientation).norm() / T;
    const double s = std::min(1.0, (static_cast<double>(k) + 0.5) * T / run_in), share = s * s * (3 - 2 * s);
    EXPECT_NEAR(speed, share * moving.linear().norm(), 2e-4 * moving.linear().norm());
    EXPECT_NEAR(turning, share * moving.angular().norm(), 2e-4 * moving.angular().norm());
    EXPECT_LE((speed - before) / T, 1.5 * moving.linear().norm() / run_in * (1 + 1e-6));
    before = speed;
    if (static_cast<double>(k) * T >= run_in) { EXPECT_LT(apart(now, pose_at(r, "body.pose", k)), 1e-14); }
  }
}

TEST(Anchor, RefusesAStartThatTurnsTheWorldAwayFromTheCell) {
  const auto turned = [](const std::string& rotation) {
    return run(still("command", "0 0 0", "0 0 0") + still("start", "1 0 1", rotation) +
                   "<block name=\"z\" type=\"sources/Constant\" value=\"0 0 0 m/s\"/><block name=\"w\" "
                   "type=\"sources/Constant\" value=\"0 0 0 rad/s\"/><block name=\"rest\" "
                   "type=\"kinematics/MakeTwist\"/>" +
                   wire("z.y", "rest.linear") + wire("w.y", "rest.angular") +
                   "<block name=\"anchor\" type=\"kinematics/Anchor\" tool_position=\"0 0 0 m\" tool_rotation=\"1 0 0 "
                   "0\" world_rotation=\"1 0 0 0\"/>" +
                   wire("command.pose", "anchor.command_pose") + wire("rest.twist", "anchor.command_twist") +
                   wire("start.pose", "anchor.start_pose"),
               {}, 0.1)
        .ending;
  };
  EXPECT_NE(turned("0 0.03 0").kind, Ending::Kind::failed);
  const Ending ending = turned("0 0.04 0");
  EXPECT_EQ(ending.kind, Ending::Kind::failed);
  EXPECT_EQ(ending.block, "anchor");
  EXPECT_NEAR(ending.value, 0.04, 1e-12);
}

TEST(TwistFromPoses, IsTheMeanOfTheLastSampleTime) {
  const DiagramRun r = run(spinning("body", motion) + "<block name=\"twist\" type=\"kinematics/TwistFromPoses\"/>" +
                               wire("body.pose", "twist.pose"),
                           {"twist.twist"}, 0.4);
  EXPECT_EQ(vector_at(r, "twist.twist", 0, 6, 0).norm(), 0.0);
  for (std::size_t k = 1; k < 100; ++k) {
    EXPECT_LT((vector_at(r, "twist.twist", k, 6, 0) - Vector3(moving.linear())).norm(), 1e-12);
    EXPECT_LT((vector_at(r, "twist.twist", k, 6, 3) - Vector3(moving.angular())).norm(), 1e-9);
  }
}

TEST(TwistFromPoses, LagsHalfASampleTimeAndItsFilterByItsTimeConstant) {
  // On a steady acceleration a lag of tau shows as a tau in velocity.
  const auto lag = [](const std::string& filter) {
    const DiagramRun r = run("<block name=\"t\" type=\"sources/Ramp\" slope=\"1 0 0 m/s2\"/><block name=\"v\" "
                             "type=\"discrete/DiscreteIntegrator\" method=\"trapezoidal\"/>" +
                                 wire("t.y", "v.u") +
                                 "<block name=\"o\" type=\"sources/Constant\" value=\"0 0 0 rad\"/><block name=\"p\" "
                                 "type=\"kinematics/MakePose\"/>" +
                                 wire("v.y", "p.position") + wire("o.y", "p.rotation") +
                                 "<block name=\"twist\" type=\"kinematics/TwistFromPoses\" filter_time=\"" + filter +
                                 "\"/>" + wire("p.pose", "twist.pose"),
                             {"twist.twist", "t.y"}, 0.8);
    return r.at("t.y", 199, 3) - r.at("twist.twist", 199, 6);
  };
  EXPECT_NEAR(lag("0 s"), T / 2, 1e-9);
  EXPECT_NEAR(lag("20 ms"), T / 2 + 0.020, 1e-9);
}

TEST(TwistFromPoses, HoldsOverStalePosesAndTakesTheNextOverTheTimeThatHasPassed) {
  // Poses of ticks 20 and 21 are those of tick 19, marked stale.
  const DiagramRun r =
      run(spinning("body", motion) +
              "<block name=\"on\" type=\"sources/Pulse\" high=\"1\" first=\"80 ms\" width=\"8 ms\"/><block "
              "name=\"stale\" type=\"math/RealToBool\"/>" +
              wire("on.y", "stale.u") + "<block name=\"fresh\" type=\"math/Logic\" operation=\"not\" inputs=\"1\"/>" +
              wire("stale.y", "fresh.u[0]") +
              "<block name=\"held\" type=\"kinematics/TransformPose\" enable=\"fresh.y\"/>" +
              wire("body.pose", "held.pose") + "<block name=\"twist\" type=\"kinematics/TwistFromPoses\"/>" +
              wire("held.transformed", "twist.pose") + wire("stale.y", "twist.stale"),
          {"twist.twist", "stale.y", "held.transformed"}, 0.2);
  EXPECT_EQ(r.at("stale.y", 19) + r.at("stale.y", 22), 0.0);
  EXPECT_EQ(r.at("stale.y", 20) + r.at("stale.y", 21), 2.0);
  EXPECT_EQ(apart(pose_at(r, "held.transformed", 21), pose_at(r, "held.transformed", 19)), 0.0);
  for (std::size_t k = 1; k < 50; ++k) {
    EXPECT_LT((vector_at(r, "twist.twist", k, 6, 0) - Vector3(moving.linear())).norm(), 1e-12) << k;
    EXPECT_LT((vector_at(r, "twist.twist", k, 6, 3) - Vector3(moving.angular())).norm(), 1e-9) << k;
  }
}

} // namespace
} // namespace hilda::test
