// SPDX-License-Identifier: BSD-3-Clause
// The tool's motion, the mounted sensor and a robot's way from command to command, against closed forms; all blocks of
// a rig under audit.

#include "tests/hardware/process.h"
#include "tests/hardware/rig_parts.h"

#include <fstream>

namespace hilda::test {
namespace {

TEST(ToolTwist, IsTheDerivativeOfTheToolsPose) {
  const DiagramRun r = run(flange_and_tool() + "<block name=\"twist\" type=\"kinematics/ToolTwist\" " + tool + "/>" +
                               wire("flange.pose", "twist.flange") + wire("flange.twist", "twist.twist") +
                               wire("world.pose", "twist.world"),
                           {"tool.pose", "twist.tool"}, 1.0, "1 ms");
  for (std::size_t k = 1; k + 1 < 1000; k += 97) {
    const Pose before = pose_at(r, "tool.pose", k - 1), after = pose_at(r, "tool.pose", k + 1);
    EXPECT_LT((vector_at(r, "twist.tool", k, 6, 0) - (after.position - before.position) / 2e-3).norm(), 1e-7);
    EXPECT_LT(
        (vector_at(r, "twist.tool", k, 6, 3) - rotation_log(before.orientation.conjugate() * after.orientation) / 2e-3)
            .norm(),
        1e-7);
  }
}

TEST(WrenchFromSensor, ReadsNothingOfAPayloadThatHangsStillInAnyAttitude) {
  for (const Vector3& attitude :
       {Vector3(0, 0, 0), Vector3(0.3, 2.1, -0.7), Vector3(3.1, 0, 0), Vector3(0, -1.5, 0.4)}) {
    const std::string turn =
        std::to_string(attitude.x()) + " " + std::to_string(attitude.y()) + " " + std::to_string(attitude.z());
    const DiagramRun r =
        run(still("flange", "1.2 0.1 0.9", turn) + still("tool", "0.1 0 0", "0.5 0.5 -0.2") +
                "<block name=\"w\" type=\"sources/Constant\" value=\"0 0 0 rad/s\"/><block name=\"v\" "
                "type=\"sources/Constant\" value=\"0 0 0 m/s\"/><block name=\"rest\" type=\"kinematics/MakeTwist\"/>" +
                wire("v.y", "rest.linear") + wire("w.y", "rest.angular") +
                "<block name=\"f\" type=\"sources/Constant\" value=\"3 -4 5 N\"/><block name=\"m\" "
                "type=\"sources/Constant\" value=\"0.2 0.3 -0.4 N m/rad\"/><block name=\"given\" "
                "type=\"kinematics/MakeWrench\"/>" +
                wire("f.y", "given.force") + wire("m.y", "given.torque") +
                "<block name=\"sensor\" type=\"dynamics/FlangeSensor\" " + mount + "/>" +
                wire("given.wrench", "sensor.wrench") + wire("tool.pose", "sensor.pose") +
                wire("flange.pose", "sensor.flange") + wire("rest.twist", "sensor.twist") +
                "<block name=\"back\" type=\"kinematics/WrenchFromSensor\" " + mount + "/>" +
                wire("sensor.force", "back.force") + wire("sensor.torque", "back.torque") +
                wire("flange.pose", "back.flange") + wire("tool.pose", "back.pose"),
            {"back.wrench", "sensor.force", "sensor.torque"}, 0.02);
    const Vector3 f(3, -4, 5), m(0.2, 0.3, -0.4);
    EXPECT_LT((vector_at(r, "back.wrench", 4, 6, 0) - f).norm(), 1e-13);
    EXPECT_LT((vector_at(r, "back.wrench", 4, 6, 3) - m).norm(), 1e-13);
    // The reading by way of the base frame: all forces there, torques about the sensor's place.
    const Quaternion flange = rotation_exp(attitude), sensor = flange * Quaternion(0.96, 0, 0.28, 0);
    const Quaternion tool_axes = flange * tool_in_flange.orientation,
                     world = tool_axes * rotation_exp(Vector3(0.5, 0.5, -0.2)).conjugate();
    const Vector3 contact = world * f, weight(0, 0, -2.5 * 9.81);
    const Vector3 lever = flange * Vector3(tool_in_flange.position - Vector3(0.01, 0.02, 0.06));
    const Vector3 torque = tool_axes * m + lever.cross(contact) + (sensor * Vector3(0.01, -0.02, 0.07)).cross(weight);
    EXPECT_LT((sensor * vector_at(r, "sensor.force", 4, 3, 0) - contact - weight).norm(), 1e-12);
    EXPECT_LT((sensor * vector_at(r, "sensor.torque", 4, 3, 0) - torque).norm(), 1e-12);
  }
}

TEST(WrenchFromSensor, KeepsThePowerOfTheContactWhereverTheSensorSits) {
  // The wrench about the sensor times the sensor's motion is the wrench on the tool times the tool's.
  const std::string massless = tool + "sensor_position=\"0.01 0.02 0.06 m\" sensor_rotation=\"0.96 0 0.28 0\" "
                                      "payload_mass=\"0 kg\" payload_centre=\"0 0 0 m\" ";
  const DiagramRun r =
      run(flange_and_tool() + "<block name=\"twist\" type=\"kinematics/ToolTwist\" " + tool + "/>" +
              wire("flange.pose", "twist.flange") + wire("flange.twist", "twist.twist") +
              wire("world.pose", "twist.world") +
              "<block name=\"sensor_motion\" type=\"kinematics/TransformTwist\" position=\"0.01 0.02 0.06 m\" "
              "rotation=\"0.96 0 0.28 0\"/>" +
              wire("flange.pose", "sensor_motion.pose") + wire("flange.twist", "sensor_motion.twist") +
              "<block name=\"f\" type=\"sources/Sine\" amplitude=\"3 -4 5 N\" frequency=\"2 Hz\"/><block name=\"m\" "
              "type=\"sources/Sine\" amplitude=\"0.2 0.3 -0.4 N m/rad\" frequency=\"3 Hz\"/>" +
              "<block name=\"on_tool\" type=\"kinematics/WrenchFromSensor\" " + massless + "/>" +
              wire("f.y", "on_tool.force") + wire("m.y", "on_tool.torque") + wire("flange.pose", "on_tool.flange") +
              wire("tool.pose", "on_tool.pose"),
          {"on_tool.wrench", "twist.tool", "sensor_motion.transformed", "f.y", "m.y", "flange.pose"}, 0.5);
  for (std::size_t k = 0; k < 125; k += 7) {
    const double power = vector_at(r, "on_tool.wrench", k, 6, 0).dot(vector_at(r, "twist.tool", k, 6, 0)) +
                         vector_at(r, "on_tool.wrench", k, 6, 3).dot(vector_at(r, "twist.tool", k, 6, 3));
    const Quaternion axes = pose_at(r, "flange.pose", k).orientation * Quaternion(0.96, 0, 0.28, 0);
    const Vector3 v = axes.conjugate() * vector_at(r, "sensor_motion.transformed", k, 6, 0);
    const double at_sensor = vector_at(r, "f.y", k, 3, 0).dot(v) +
                             vector_at(r, "m.y", k, 3, 0).dot(vector_at(r, "sensor_motion.transformed", k, 6, 3));
    EXPECT_NEAR(power, at_sensor, 1e-12);
  }
}

TEST(FlangeSensor, FeelsTheCentripetalForceOfItsPayload) {
  // A flange that spins about its z axis: the payload's centre, r from it, is pulled inwards by m w^2 r.
  const DiagramRun r =
      run(spinning("flange", "angular_velocity=\"0 0 2\"") + still("world", "0 0 0", "0 0 0") +
              "<block name=\"tool\" type=\"kinematics/ToolInWorld\" tool_position=\"0 0 0 m\" tool_rotation=\"1 0 0 "
              "0\"/>" +
              wire("flange.pose", "tool.flange") + wire("world.pose", "tool.world") +
              "<block name=\"f\" type=\"sources/Constant\" value=\"0 0 0 N\"/><block name=\"m\" "
              "type=\"sources/Constant\" value=\"0 0 0 N m/rad\"/><block name=\"nothing\" "
              "type=\"kinematics/MakeWrench\"/>" +
              wire("f.y", "nothing.force") + wire("m.y", "nothing.torque") +
              "<block name=\"sensor\" type=\"dynamics/FlangeSensor\" tool_position=\"0 0 0 m\" tool_rotation=\"1 0 0 "
              "0\" sensor_position=\"0.1 0 0 m\" sensor_rotation=\"1 0 0 0\" payload_mass=\"2 kg\" "
              "payload_centre=\"0.05 0 0 m\"/>" +
              wire("nothing.wrench", "sensor.wrench") + wire("tool.pose", "sensor.pose") +
              wire("flange.pose", "sensor.flange") + wire("flange.twist", "sensor.twist"),
          {"sensor.force"}, 0.1, "1 ms");
  EXPECT_NEAR(r.at("sensor.force", 50, 3, 0), 2 * 4 * 0.15, 1e-4); // -m a, in sensor axes
  EXPECT_NEAR(r.at("sensor.force", 50, 3, 1), 0, 1e-4);
  EXPECT_NEAR(r.at("sensor.force", 50, 3, 2), -2 * 9.81, 1e-12);
}

TEST(PoseInterpolator, IsThereACycleLaterAndGoesStraightInBetween) {
  const DiagramRun r =
      run(spinning("body", motion) + "<block name=\"slow\" type=\"kinematics/TransformPose\" sample_time=\"4 ms\"/>" +
              wire("body.pose", "slow.pose") +
              "<block name=\"way\" type=\"dynamics/PoseInterpolator\" cycle=\"4 ms\" sample_time=\"1 ms\"/>" +
              wire("slow.transformed", "way.target"),
          {"body.pose", "way.pose", "way.twist"}, 0.4, "1 ms");
  for (std::size_t k = 8; k < 400; ++k) {
    EXPECT_LT(apart(pose_at(r, "way.pose", k), pose_at(r, "body.pose", k - 4)), 1e-12) << k;
    EXPECT_LT((vector_at(r, "way.twist", k, 6, 0) - Vector3(moving.linear())).norm(), 1e-12) << k;
    EXPECT_LT((vector_at(r, "way.twist", k, 6, 3) - Vector3(moving.angular())).norm(), 1e-9) << k;
  }
}

TEST(PoseInterpolator, RestsWhereItsTargetRests) {
  const DiagramRun r = run(
      "<block name=\"v\" type=\"sources/Pulse\" high=\"1\" first=\"10 ms\" width=\"20 ms\"/><block name=\"along\" "
      "type=\"math/Gain\" gain=\"0.1 m/s\"/>" +
          wire("v.y", "along.u") +
          "<block name=\"none\" type=\"sources/Constant\" value=\"0 m/s\"/><block name=\"three\" type=\"routing/Mux\" "
          "inputs=\"3\"/>" +
          wire("along.y", "three.u[0]") + wire("none.y", "three.u[1]") + wire("none.y", "three.u[2]") +
          "<block name=\"w\" type=\"sources/Constant\" value=\"0 0 0 rad/s\"/><block name=\"twist\" "
          "type=\"kinematics/MakeTwist\"/>" +
          wire("three.y", "twist.linear") + wire("w.y", "twist.angular") +
          "<block name=\"pose\" type=\"kinematics/PoseIntegrator\"/>" + wire("twist.twist", "pose.twist") +
          "<block name=\"way\" type=\"dynamics/PoseInterpolator\" cycle=\"4 ms\" sample_time=\"1 ms\"/>" +
          wire("pose.pose", "way.target"),
      {"pose.pose", "way.pose", "way.twist"}, 0.1, "1 ms");
  for (const std::size_t k : {std::size_t{0}, std::size_t{9}, std::size_t{40}, std::size_t{99}}) {
    EXPECT_EQ(vector_at(r, "way.twist", k, 6, 0).norm(), 0) << k;
    EXPECT_EQ(vector_at(r, "way.twist", k, 6, 3).norm(), 0) << k;
    EXPECT_LT(apart(pose_at(r, "way.pose", k), pose_at(r, "pose.pose", k)), 1e-15) << k;
  }
  EXPECT_GT(vector_at(r, "way.twist", 20, 6, 0).norm(), 0.01);
}

TEST(SweptMotion, KeepsItsLimitsBeginsAndEndsAtRestAndSaysItsVelocity) {
  const DiagramRun r =
      run("<block name=\"m\" type=\"kinematics/SweptMotion\" direction=\"1 2 -2\" amplitude=\"8 mm\" speed=\"0.1 "
          "m/s\" acceleration=\"1.5 m/s2\" from=\"0.5 Hz\" to=\"15 Hz\" duration=\"14 s\"/>",
          {"m.travel", "m.pose", "m.twist"}, 15, "1 ms");
  double most = 0, fastest = 0, hardest = 0;
  for (std::size_t k = 1; k + 1 < 15000; ++k) {
    const double before = r.at("m.travel", k - 1), now = r.at("m.travel", k), after = r.at("m.travel", k + 1);
    most = std::max(most, std::abs(now));
    fastest = std::max(fastest, std::abs(after - before) / 2e-3);
    hardest = std::max(hardest, std::abs(after - 2 * now + before) / 1e-6);
    if (k % 119 == 0) {
      const Vector3 along = Vector3(1, 2, -2) / 3;
      EXPECT_LT((vector_at(r, "m.pose", k, 7, 0) - now * along).norm(), 1e-15);
      EXPECT_NEAR(vector_at(r, "m.twist", k, 6, 0).dot(along), (after - before) / 2e-3, 2e-4);
    }
  }
  EXPECT_LE(most, 8e-3);
  EXPECT_GT(most, 5e-3);
  EXPECT_LE(fastest, 0.1);
  EXPECT_LE(hardest, 1.5);
  EXPECT_GT(hardest, 1.0);
  EXPECT_EQ(r.at("m.travel", 299), 0.0);
  EXPECT_EQ(r.at("m.travel", 14301), 0.0);
}

TEST(SweptMotion, RefusesWhatItCannotDo) {
  const auto errors = [](const std::string& parameters) {
    return run_diagram(
               {"<diagram format=\"1\" name=\"m\" period=\"1 ms\"><block name=\"m\" type=\"kinematics/SweptMotion\" "
                "amplitude=\"8 mm\" speed=\"0.1 m/s\" acceleration=\"1.5 m/s2\" from=\"0.5 Hz\" " +
                    parameters + "/></diagram>",
                {},
                {},
                0.01})
        .errors;
  };
  const std::string along = "direction=\"1 0 0\" ";
  EXPECT_EQ(errors(along + "to=\"15 Hz\" duration=\"1 s\" taper=\"0.5 s\""), "") << "it may be all taper";
  EXPECT_NE(errors(along + "to=\"15 Hz\" duration=\"1 s\" taper=\"0.5001 s\"").find("taper"), std::string::npos);
  EXPECT_NE(errors(along + "to=\"160 Hz\" duration=\"14 s\"").find("fewer than six samples"), std::string::npos);
  EXPECT_EQ(errors(along + "to=\"159 Hz\" duration=\"14 s\""), "");
  EXPECT_NE(errors("direction=\"0 0 0\" to=\"15 Hz\" duration=\"14 s\"").find("has no length"), std::string::npos);
}

TEST(RigBlocks, ReadAndWriteWhatTheyDeclareAndNothingElse) {
  const Folder folder;
  std::ofstream(folder.path("rig.xml"))
      << "<diagram format=\"1\" name=\"rig\" period=\"1 ms\">" + anchored("run_in=\"50 ms\"") +
             "<block name=\"on\" type=\"sources/Pulse\" high=\"1\" first=\"80 ms\" width=\"8 ms\"/><block "
             "name=\"stale\" type=\"math/RealToBool\"/>" +
             wire("on.y", "stale.u") +
             "<block name=\"twist\" type=\"kinematics/TwistFromPoses\" filter_time=\"5 ms\"/>" +
             wire("back.pose", "twist.pose") + wire("stale.y", "twist.stale") +
             "<block name=\"tool\" type=\"kinematics/ToolTwist\" " + tool + "/>" + wire("way.pose", "tool.flange") +
             wire("way.twist", "tool.twist") + wire("anchor.world", "tool.world") +
             "<block name=\"way\" type=\"dynamics/PoseInterpolator\" cycle=\"4 ms\"/>" +
             wire("anchor.flange_command", "way.target") +
             "<block name=\"push\" type=\"sources/Sine\" amplitude=\"3 -4 5 N\" frequency=\"2 Hz\"/><block "
             "name=\"twisting\" type=\"sources/Sine\" amplitude=\"0.2 0.3 -0.4 N m/rad\" frequency=\"3 Hz\"/><block "
             "name=\"given\" type=\"kinematics/MakeWrench\"/>" +
             wire("push.y", "given.force") + wire("twisting.y", "given.torque") +
             "<block name=\"sensor\" type=\"dynamics/FlangeSensor\" " + mount + "/>" +
             wire("given.wrench", "sensor.wrench") + wire("back.pose", "sensor.pose") +
             wire("way.pose", "sensor.flange") + wire("way.twist", "sensor.twist") +
             "<block name=\"felt\" type=\"kinematics/WrenchFromSensor\" " + mount + "/>" +
             wire("sensor.force", "felt.force") + wire("sensor.torque", "felt.torque") +
             wire("way.pose", "felt.flange") + wire("back.pose", "felt.pose") +
             "<block name=\"swept\" type=\"kinematics/SweptMotion\" amplitude=\"8 mm\" speed=\"0.1 m/s\" "
             "acceleration=\"1.5 m/s2\" from=\"0.5 Hz\" to=\"15 Hz\" duration=\"1 s\"/></diagram>";
  Process audit(folder, "audit", {"check", folder.path("rig.xml"), "--audit", "--for", "1s"});
  EXPECT_EQ(audit.wait(), 0) << folder.read("audit.out") << folder.read("audit.err");
  EXPECT_NE(folder.read("audit.out").find("audited 1000 steps"), std::string::npos) << folder.read("audit.out");
  EXPECT_NE(folder.read("audit.out").find(" 0 findings"), std::string::npos) << folder.read("audit.out");
}

} // namespace
} // namespace hilda::test
