// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pieces of which the tests of a rig's blocks make their diagrams, and readers of what these diagrams did.

#include "tests/diagrams/diagram_frames.h"

#include <gtest/gtest.h>

namespace hilda::test {

inline constexpr double T = 4e-3;

inline DiagramRun run(const std::string& body, std::vector<std::string> observed, double duration,
                      const std::string& period = "4 ms") {
  const std::string text = "<diagram format=\"1\" name=\"test\" period=\"" + period + "\">" + body + "</diagram>";
  DiagramRun result = run_diagram({text, {}, std::move(observed), duration});
  EXPECT_EQ(result.errors, "");
  return result;
}

inline std::string wire(const std::string& from, const std::string& to) {
  return "<connect from=\"" + from + "\" to=\"" + to + "\"/>";
}

/// A body that moves and turns steadily; W of its pose is inertial.
inline std::string spinning(const std::string& name, const std::string& more) {
  return "<block name=\"" + name + "\" type=\"dynamics/RigidBody\" integrator=\"zoh\" mass=\"5\" inertia=\"2\" " +
         more + "/><block name=\"f_" + name + "\" type=\"sources/Constant\" value=\"0 0 0 N\"/><block name=\"m_" +
         name + "\" type=\"sources/Constant\" value=\"0 0 0 N m/rad\"/><block name=\"w_" + name +
         "\" type=\"kinematics/MakeWrench\"/>" + wire("f_" + name + ".y", "w_" + name + ".force") +
         wire("m_" + name + ".y", "w_" + name + ".torque") + wire("w_" + name + ".wrench", name + ".wrench");
}

/// A pose that is at rest.
inline std::string still(const std::string& name, const std::string& position, const std::string& rotation) {
  return "<block name=\"p_" + name + "\" type=\"sources/Constant\" value=\"" + position + " m\"/><block name=\"r_" +
         name + "\" type=\"sources/Constant\" value=\"" + rotation + " rad\"/><block name=\"" + name +
         "\" type=\"kinematics/MakePose\"/>" + wire("p_" + name + ".y", name + ".position") +
         wire("r_" + name + ".y", name + ".rotation");
}

inline double apart(const Pose& a, const Pose& b) {
  return (a.position - b.position).norm() + rotation_log(a.orientation.conjugate() * b.orientation).norm();
}
/// The same body-fixed frame, moved by V for a time.
inline Pose ahead(const Pose& pose, const Twist& V, double time) {
  Pose moved;
  moved.position = pose.position + Vector3(V.linear()) * time;
  moved.orientation = pose.orientation * rotation_exp(Vector3(V.angular()) * time);
  return moved;
}

inline const std::string tool = "tool_position=\"0.02 -0.05 0.25 m\" tool_rotation=\"0.8 0 -0.6 0\" ";
inline const Pose tool_in_flange{Vector3(0.02, -0.05, 0.25), Quaternion(0.8, 0, -0.6, 0)};
inline const std::string motion =
    "velocity=\"0.05 -0.03 0.02 m/s\" angular_velocity=\"0.2 -0.3 0.1\" position=\"0.1 0.2 "
    "-0.1 m\" orientation=\"0.5 -0.5 0.5 0.5\"";
inline const Twist moving(Vector3(0.05, -0.03, 0.02), Vector3(0.2, -0.3, 0.1));

/// An anchor that follows a spinning body from an oblique start, and the way back.
inline std::string anchored(const std::string& more) {
  return spinning("body", motion) + still("start", "1.2 0.1 0.9", "0.3 2.1 -0.7") +
         "<block name=\"anchor\" type=\"kinematics/Anchor\" " + tool +
         "world_rotation=\"1 0 0 0\" start_tolerance=\"4 rad\" " + more + "/>" +
         "<block name=\"back\" type=\"kinematics/ToolInWorld\" " + tool + "/>" +
         wire("body.pose", "anchor.command_pose") + wire("body.twist", "anchor.command_twist") +
         wire("start.pose", "anchor.start_pose") + wire("anchor.flange_command", "back.flange") +
         wire("anchor.world", "back.world");
}

inline const std::string mount = tool + "sensor_position=\"0.01 0.02 0.06 m\" sensor_rotation=\"0.96 0 0.28 0\" "
                                        "payload_mass=\"2.5 kg\" payload_centre=\"0.01 -0.02 0.07 m\" ";

/// A steadily spinning flange with its tool in another world.
inline std::string flange_and_tool() {
  return spinning("flange", motion) + still("world", "0.4 -0.3 0.5", "0.4 -1.1 0.6") +
         "<block name=\"tool\" type=\"kinematics/ToolInWorld\" " + tool + "/>" + wire("flange.pose", "tool.flange") +
         wire("world.pose", "tool.world");
}

} // namespace hilda::test
