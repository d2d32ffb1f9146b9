// SPDX-License-Identifier: BSD-3-Clause
// The blocks under the contact diagrams, each by a property that it must have.

#include "tests/diagrams/diagram_frames.h"
#include <hilda/frames.h>

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

DiagramRun run(const std::string& body, std::vector<std::string> observed, double duration) {
  const std::string text = "<diagram format=\"1\" name=\"test\" period=\"1 ms\">" + body + "</diagram>";
  DiagramRun result = run_diagram({text, {}, std::move(observed), duration});
  EXPECT_EQ(result.errors, "");
  return result;
}

/// A body that moves and turns without being pushed.
std::string free_body(const std::string& name, const std::string& parameters) {
  return "<block name=\"" + name + "\" type=\"dynamics/RigidBody\" mass=\"5\" " + parameters +
         "/><block name=\"nothing_on_" + name +
         "\" type=\"sources/Constant\" value=\"0 0 0 N\"/><block name=\"no_torque_on_" + name +
         "\" type=\"sources/Constant\" value=\"0 0 0 N m/rad\"/><block name=\"wrench_on_" + name +
         "\" type=\"kinematics/MakeWrench\"/><connect from=\"nothing_on_" + name + ".y\" to=\"wrench_on_" + name +
         ".force\"/><connect from=\"no_torque_on_" + name + ".y\" to=\"wrench_on_" + name +
         ".torque\"/><connect from=\"wrench_on_" + name + ".wrench\" to=\"" + name + ".wrench\"/>";
}

TEST(RelativeMotion, TwistIsTheDerivativeOfThePoseSeenFromASpinningBody) {
  const DiagramRun r =
      run(free_body(
              "a", "inertia=\"1 2 3\" integrator=\"rk4\" velocity=\"0.1 0.2 -0.3\" angular_velocity=\"0.5 -0.4 0.3\"") +
              free_body("b", "inertia=\"3 2 4\" integrator=\"rk4\" position=\"1 2 3\" velocity=\"-0.2 0 0.1\" "
                             "angular_velocity=\"-0.3 0.6 0.2\"") +
              "<block name=\"seen\" type=\"kinematics/RelativeMotion\" service_offset=\"0.3 -0.2 0.5\" "
              "target_offset=\"-0.1 0.4 0.2\" service_rotation=\"0.6 0 0.8 0\" target_rotation=\"0.8 0.6 0 0\"/>"
              "<connect from=\"a.pose\" to=\"seen.service_pose\"/><connect from=\"a.twist\" to=\"seen.service_twist\"/>"
              "<connect from=\"b.pose\" to=\"seen.target_pose\"/><connect from=\"b.twist\" to=\"seen.target_twist\"/>",
          {"seen.pose", "seen.twist"}, 1.0);
  const double T = 1e-3;
  for (std::size_t k = 1; k + 1 < static_cast<std::size_t>(r.steps); k += 37) {
    const Pose before = pose_at(r, "seen.pose", k - 1), after = pose_at(r, "seen.pose", k + 1);
    const Vector3 v = (after.position - before.position) / (2 * T);
    const Vector3 w = rotation_log(before.orientation.conjugate() * after.orientation) / (2 * T);
    EXPECT_LT((v - vector_at(r, "seen.twist", k, 6, 0)).norm(), 1e-6);
    EXPECT_LT((w - vector_at(r, "seen.twist", k, 6, 3)).norm(), 1e-6);
  }
}

TEST(RigidBody, TumblesWithConstantAngularMomentumAndEnergy) {
  const DiagramRun r = run(
      free_body("body", "inertia=\"1 2 3\" integrator=\"rk4\" angular_velocity=\"0.3 1 -0.2\" velocity=\"0.1 0 0\""),
      {"body.angular_momentum", "body.kinetic_energy"}, 20.0);
  const std::size_t last = static_cast<std::size_t>(r.steps) - 1;
  EXPECT_LT((vector_at(r, "body.angular_momentum", last, 3, 0) - vector_at(r, "body.angular_momentum", 0, 3, 0)).norm(),
            1e-12);
  EXPECT_NEAR(r.at("body.kinetic_energy", last), r.at("body.kinetic_energy", 0), 1e-10);
}

TEST(RigidBody, HasTheAngularMomentumOfItsAttitudeAndSpinWithEveryIntegrator) {
  for (const std::string integrator : {"zoh", "variational", "symplectic", "euler", "rk4"}) {
    const DiagramRun r =
        run(free_body("body", "inertia=\"1 2 3\" angular_velocity=\"0.3 1 -0.2\" integrator=\"" + integrator + "\""),
            {"body.pose", "body.twist", "body.angular_momentum"}, 0.5);
    for (const std::size_t k : {0u, 1u, 2u, 400u}) {
      const Vector3 own = vector_at(r, "body.twist", k, 6, 3).cwiseProduct(Vector3(1, 2, 3));
      const Vector3 expected = pose_at(r, "body.pose", k).orientation * own;
      EXPECT_LT((vector_at(r, "body.angular_momentum", k, 3, 0) - expected).norm(), 1e-12) << integrator << " " << k;
    }
  }
}

/// Turned by 90 degrees about x, so that the spin about the body's z is one about -y: w x r = -2 y x x = 2 z.
TEST(RigidBody, BeginsWithTheVelocityOfItsFrameInAnyAttitude) {
  const DiagramRun r =
      run(free_body("body", "orientation=\"0.70710678118654752 0.70710678118654752 0 0\" frame=\"1 0 0\" "
                            "velocity=\"0.1 0 0\" angular_velocity=\"0 0 2\""),
          {"body.twist"}, 0.01);
  EXPECT_LT((vector_at(r, "body.twist", 0, 6, 0) - Vector3(0.1, 0, -2)).norm(), 1e-12);
}

/// [T8] As its page says: the torque is turned into inertial axes at the beginning of a tick.
TEST(RigidBody, ATorqueThatStaysInBodyAxesIsRightToTheFirstOrder) {
  const auto spin = [](const std::string& integrator, const std::string& period) {
    const DiagramRun r =
        run_diagram({"<diagram format=\"1\" name=\"test\" period=\"" + period +
                         "\"><block name=\"f\" type=\"sources/Constant\" value=\"0 0 0 N\"/><block name=\"m\" "
                         "type=\"sources/Constant\" value=\"0.1 0.05 0.02 N m/rad\"/><block name=\"on\" "
                         "type=\"kinematics/MakeWrench\"/><block name=\"body\" type=\"dynamics/RigidBody\" mass=\"1\" "
                         "inertia=\"1 2 3\" angular_velocity=\"0.3 1 -0.2\" integrator=\"" +
                         integrator +
                         "\"/><connect from=\"f.y\" to=\"on.force\"/><connect from=\"m.y\" to=\"on.torque\"/>"
                         "<connect from=\"on.wrench\" to=\"body.wrench\"/></diagram>",
                     {},
                     {"body.twist"},
                     4.0});
    EXPECT_EQ(r.errors, "");
    return vector_at(r, "body.twist", static_cast<std::size_t>(r.steps) - 1, 6, 3);
  };
  for (const std::string integrator : {"rk4", "zoh", "variational"}) {
    // the last sample is a period before the end: that difference is of the first order, too
    const Vector3 right = spin(integrator, "0.1 ms");
    const double coarse = (spin(integrator, "8 ms") - right).norm(), fine = (spin(integrator, "4 ms") - right).norm();
    EXPECT_GT(coarse, 1e-4) << integrator;
    EXPECT_NEAR(coarse / fine, 2, 0.3) << integrator;
  }
}

TEST(RigidBody, AnInfiniteMassMovesOnAsItBegan) {
  const DiagramRun r =
      run("<block name=\"body\" type=\"dynamics/RigidBody\" mass=\"inf\" velocity=\"0.1 0 0\" angular_velocity=\"0 0 "
          "0.5\"/>"
          "<block name=\"force\" type=\"sources/Constant\" value=\"10 20 30 N\"/>"
          "<block name=\"torque\" type=\"sources/Constant\" value=\"1 2 3 N m/rad\"/>"
          "<block name=\"push\" type=\"kinematics/MakeWrench\"/><connect from=\"force.y\" to=\"push.force\"/>"
          "<connect from=\"torque.y\" to=\"push.torque\"/><connect from=\"push.wrench\" to=\"body.wrench\"/>",
          {"body.pose", "body.twist", "body.kinetic_energy"}, 1.001);
  const Pose end = pose_at(r, "body.pose", 1000);
  EXPECT_NEAR(end.position.x(), 0.1, 1e-12);
  EXPECT_NEAR(rotation_log(end.orientation).z(), 0.5, 1e-12);
  EXPECT_EQ(r.at("body.kinetic_energy", 1000), 0.0);
}

TEST(WrenchOnBodies, IsActionAndReactionAlongOneLine) {
  const DiagramRun r =
      run(free_body("a", "inertia=\"1 2 3\" angular_velocity=\"0.5 -0.4 0.3\"") +
              free_body("b", "inertia=\"3 2 4\" position=\"1 2 3\" angular_velocity=\"-0.3 0.6 0.2\"") +
              "<block name=\"force\" type=\"sources/Constant\" value=\"10 20 30 N\"/>"
              "<block name=\"torque\" type=\"sources/Constant\" value=\"1 2 3 N m/rad\"/>"
              "<block name=\"push\" type=\"kinematics/MakeWrench\"/><connect from=\"force.y\" to=\"push.force\"/>"
              "<connect from=\"torque.y\" to=\"push.torque\"/>"
              "<block name=\"both\" type=\"kinematics/WrenchOnBodies\" service_offset=\"0.3 -0.2 0.5\" "
              "service_rotation=\"0.6 0 0.8 0\" target_rotation=\"0.8 0.6 0 0\"/>"
              "<connect from=\"push.wrench\" to=\"both.wrench\"/><connect from=\"a.pose\" to=\"both.service_pose\"/>"
              "<connect from=\"b.pose\" to=\"both.target_pose\"/>",
          {"a.pose", "b.pose", "both.service", "both.target"}, 0.5);
  for (std::size_t k = 0; k < static_cast<std::size_t>(r.steps); k += 50) {
    const Pose a = pose_at(r, "a.pose", k), b = pose_at(r, "b.pose", k);
    const Vector3 fa = vector_at(r, "both.service", k, 6, 0), fb = vector_at(r, "both.target", k, 6, 0);
    const Vector3 about_origin = a.orientation * vector_at(r, "both.service", k, 6, 3) + a.position.cross(fa) +
                                 b.orientation * vector_at(r, "both.target", k, 6, 3) + b.position.cross(fb);
    EXPECT_LT((fa + fb).norm(), 1e-13);
    EXPECT_LT(about_origin.norm(), 1e-12);
  }
}

/// A tool that moves and turns, and a wrench on it.
const std::string tool_with_wrench =
    free_body(
        "tool",
        "inertia=\"1 2 3\" velocity=\"0.3 0.1 -0.2\" position=\"0.4 0.5 0.6\" angular_velocity=\"0.5 -0.4 0.3\"") +
    "<block name=\"force\" type=\"sources/Constant\" value=\"10 20 30 N\"/>"
    "<block name=\"torque\" type=\"sources/Constant\" value=\"1 2 3 N m/rad\"/>"
    "<block name=\"on_tool\" type=\"kinematics/MakeWrench\"/><connect from=\"force.y\" to=\"on_tool.force\"/>"
    "<connect from=\"torque.y\" to=\"on_tool.torque\"/>";

TEST(WrenchOnWall, IsUndoneByWrenchOnTool) {
  const DiagramRun r = run(tool_with_wrench + "<block name=\"there\" type=\"kinematics/WrenchOnWall\"/>"
                                              "<block name=\"back\" type=\"kinematics/WrenchOnTool\"/>"
                                              "<connect from=\"on_tool.wrench\" to=\"there.wrench\"/>"
                                              "<connect from=\"tool.pose\" to=\"there.pose\"/>"
                                              "<connect from=\"there.on_wall\" to=\"back.on_wall\"/>"
                                              "<connect from=\"tool.pose\" to=\"back.pose\"/>",
                           {"on_tool.wrench", "there.on_wall", "back.wrench"}, 0.5);
  for (std::size_t k = 0; k < static_cast<std::size_t>(r.steps); k += 50)
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(r.at("back.wrench", k, 6, i), r.at("on_tool.wrench", k, 6, i), 1e-13);
      if (i < 3) { EXPECT_EQ(r.at("there.on_wall", k, 6, i), -r.at("on_tool.wrench", k, 6, i)); }
    }
}

TEST(TransformWrench, KeepsThePowerWithTransformTwist) {
  const std::string frame = "position=\"0.2 -0.3 0.1\" rotation=\"0.6 0 0.8 0\"";
  const DiagramRun r =
      run(tool_with_wrench + "<block name=\"w\" type=\"kinematics/TransformWrench\" " + frame +
              "/><block name=\"v\" type=\"kinematics/TransformTwist\" " + frame +
              "/><connect from=\"on_tool.wrench\" to=\"w.wrench\"/><connect from=\"tool.pose\" to=\"w.pose\"/>"
              "<connect from=\"tool.twist\" to=\"v.twist\"/><connect from=\"tool.pose\" to=\"v.pose\"/>",
          {"on_tool.wrench", "tool.twist", "w.transformed", "v.transformed"}, 0.5);
  for (std::size_t k = 0; k < static_cast<std::size_t>(r.steps); k += 50) {
    double here = 0.0, there = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
      here += r.at("on_tool.wrench", k, 6, i) * r.at("tool.twist", k, 6, i);
      there += r.at("w.transformed", k, 6, i) * r.at("v.transformed", k, 6, i);
    }
    EXPECT_NEAR(there, here, 1e-13);
  }
}

/// A command that moves and turns uniformly, and a robot behind it.
DiagramRun follow(const std::string& parameters, double duration) {
  return run(free_body("command", "inertia=\"2\" velocity=\"0.3 0.1 -0.2\" angular_velocity=\"0.5 -0.4 0.3\"") +
                 "<block name=\"robot\" type=\"dynamics/RobotSink\" " + parameters +
                 "/><connect from=\"command.pose\" to=\"robot.command_pose\"/>"
                 "<connect from=\"command.twist\" to=\"robot.command_twist\"/>",
             {"command.pose", "robot.pose", "robot.twist"}, duration);
}

/// Where the command is at `t`, also before 0.
Pose uniform(double t) {
  Pose pose;
  pose.position = Vector3(0.3, 0.1, -0.2) * t;
  pose.orientation = rotation_exp(Vector3(0.5, -0.4, 0.3) * t);
  return pose;
}

void expect_pose(const Pose& actual, const Pose& expected, double tolerance) {
  EXPECT_LT((actual.position - expected.position).norm(), tolerance);
  EXPECT_LT(rotation_log(expected.orientation.conjugate() * actual.orientation).norm(), tolerance);
}

TEST(RobotSink, DeadTimeHoldsAUniformMotionFromBeforeTheStart) {
  for (const auto& [delay, parameters] :
       {std::pair{7e-3, "response_delay=\"7 ms\""}, std::pair{0.0, "response_delay=\"0 s\""},
        std::pair{7e-3, "response_delay=\"7.3 ms\" fractional=\"round\""},
        std::pair{1e-3, "response_delay=\"0.6 ms\" fractional=\"round\""},
        std::pair{1e-3, "response_delay=\"1.4 ms\" fractional=\"round\""},
        std::pair{7.3e-3, "response_delay=\"7.3 ms\" fractional=\"interpolate\""},
        std::pair{0.3e-3, "response_delay=\"0.3 ms\" fractional=\"interpolate\""}}) {
    const DiagramRun r = follow(parameters, 0.05);
    for (std::size_t k = 0; k < 50; ++k)
      expect_pose(pose_at(r, "robot.pose", k), uniform(1e-3 * static_cast<double>(k) - delay), 1e-12);
  }
}

TEST(RobotSink, SecondOrderLagsARampByAConstantInPositionAndRotation) {
  const DiagramRun r = follow("natural_frequency=\"20 Hz\" damping_ratio=\"0.7\" response_delay=\"3 ms\"", 20.0);
  const auto lag = [&](std::size_t k) {
    return (uniform(1e-3 * static_cast<double>(k)).position - pose_at(r, "robot.pose", k).position).norm() /
           Vector3(0.3, 0.1, -0.2).norm();
  };
  EXPECT_NEAR(lag(0), lag(19999), 1e-10); // over several turns of the tool
  EXPECT_NEAR(lag(0), 2 * 0.7 / (2 * 3.14159265358979 * 20.0) + 3e-3, 1e-3);
  for (const std::size_t k : {std::size_t{0}, std::size_t{9999}, std::size_t{19999}}) {
    expect_pose(pose_at(r, "robot.pose", k), uniform(1e-3 * static_cast<double>(k) - lag(0)), 1e-9);
    EXPECT_NEAR(vector_at(r, "robot.twist", k, 6, 3).norm() / Vector3(0.5, -0.4, 0.3).norm(),
                vector_at(r, "robot.twist", k, 6, 0).norm() / Vector3(0.3, 0.1, -0.2).norm(), 1e-9);
  }
}

TEST(RobotSink, FollowingTheTwistIntegratesItFromTheFirstPose) {
  const DiagramRun backward = follow("follow=\"twist\" response_delay=\"5 ms\"", 1.0);
  const DiagramRun forward = follow("follow=\"twist\" response_delay=\"5 ms\" pose_rule=\"forward\"", 1.0);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{999}}) {
    expect_pose(pose_at(backward, "robot.pose", k), uniform(1e-3 * static_cast<double>(k)), 1e-11);
    expect_pose(pose_at(forward, "robot.pose", k), uniform(1e-3 * static_cast<double>(k)), 1e-11);
  }
}

TEST(SensorSource, NoiseHasItsStandardDeviationAndRepeats) {
  const std::string body = "<block name=\"sensor\" type=\"contact/SensorSource\" force_noise=\"0.5 N\" seed=\"7\"/>" +
                           tool_with_wrench + "<connect from=\"on_tool.wrench\" to=\"sensor.wrench\"/>";
  const DiagramRun r = run(body, {"sensor.measured"}, 20.0), again = run(body, {"sensor.measured"}, 20.0);
  EXPECT_EQ(r.signals.at("sensor.measured"), again.signals.at("sensor.measured"));
  const double expected[6] = {10, 20, 30, 1, 2, 3};
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0.0, squares = 0.0, next = 0.0;
    const std::size_t n = static_cast<std::size_t>(r.steps);
    for (std::size_t k = 0; k < n; ++k) {
      const double off = r.at("sensor.measured", k, 6, i) - expected[i];
      sum += off, squares += off * off;
      if (k + 1 < n) next += off * (r.at("sensor.measured", k + 1, 6, i) - expected[i]);
    }
    const double count = static_cast<double>(n);
    if (i >= 3) {
      EXPECT_EQ(squares, 0.0);
      continue;
    }
    EXPECT_NEAR(sum / count, 0.0, 4 * 0.5 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 0.5, 0.01);
    EXPECT_NEAR(next / squares, 0.0, 0.03);
  }
}

} // namespace
} // namespace hilda::test
