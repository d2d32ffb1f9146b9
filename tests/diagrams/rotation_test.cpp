// SPDX-License-Identifier: BSD-3-Clause
// Free rotation and a robot that follows it: energy, momentum and lag over long times and many turns.

#include "tests/diagrams/diagram_run.h"
#include <hilda/frames.h>
#include <hilda/rotation.h>

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
std::string three(const Vector3& v) { return number(v.x()) + " " + number(v.y()) + " " + number(v.z()); }

/// Of every length from a rounding error to nearly half a turn.
std::vector<Vector3> rotation_vectors() {
  std::vector<Vector3> all;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const double length : {1e-14, 1e-9, 1e-6, 5e-5, 0.99e-4, 1.01e-4, 1e-3, 9.9e-3, 1.01e-2, 0.1, 1.0, 2.0, 3.0})
    for (int i = 0; i < 5; ++i)
      all.push_back(length * Vector3(normal(random), normal(random), normal(random)).normalized());
  return all;
}

TEST(RotationVectors, AndQuaternionsAreTheSameRotations) {
  for (const Vector3& phi : rotation_vectors()) {
    const Quaternion q = rotation_exp(phi);
    const double angle = phi.norm();
    EXPECT_NEAR(q.norm(), 1, 1e-15) << angle;
    EXPECT_LT((q.toRotationMatrix() - Eigen::AngleAxisd(angle, phi / angle).toRotationMatrix()).norm(), 1e-15) << angle;
    EXPECT_LT((rotation_log(q) - phi).norm(), 4e-15 * std::max(angle, 0.1)) << angle;
    EXPECT_LT((rotation_log(q) - phi).norm() / angle, 1e-10) << angle;
    const Quaternion other(-q.w(), -q.x(), -q.y(), -q.z());
    EXPECT_LT((rotation_log(other) - phi).norm(), 4e-15 * std::max(angle, 0.1)) << "q and -q are one rotation";
  }
}

/// rotation_exp(phi + e rate) = rotation_exp(phi) rotation_exp(e J_r rate), for small e.
TEST(RotationVectors, ChangeWithTheAngularVelocityThatTheirJacobianSays) {
  const Vector3 rate(0.3, -0.7, 0.5);
  for (const Vector3& phi : rotation_vectors()) {
    constexpr double e = 1e-5;
    const Vector3 after = rotation_log(rotation_exp(phi - e * rate).conjugate() * rotation_exp(phi + e * rate));
    EXPECT_LT((after / (2 * e) - right_jacobian(phi, rate)).norm(), 1e-9) << phi.norm();
  }
}

TEST(RotationVectors, HaveInverseAndTransposedJacobians) {
  const Vector3 rate(0.3, -0.7, 0.5), force(-0.2, 0.4, 0.9);
  for (const Vector3& phi : rotation_vectors()) {
    const double angle = phi.norm();
    EXPECT_LT((inverse_right_jacobian(phi, right_jacobian(phi, rate)) - rate).norm(), 4e-13) << angle;
    EXPECT_LT((right_jacobian(phi, inverse_right_jacobian(phi, rate)) - rate).norm(), 4e-13) << angle;
    EXPECT_NEAR(inverse_right_jacobian_transposed(phi, force).dot(rate), force.dot(inverse_right_jacobian(phi, rate)),
                1e-15)
        << angle;
  }
}

struct Tumble {
  Vector3 inertia, spin;
  double period;
  std::string integrator;
  std::string matrix = {};          ///< a full inertia instead of the diagonal one
  Vector3 torque = Vector3::Zero(); ///< N m, body axes
};

/// A body that nothing pushes, and nothing turns but `torque`; `more` sees it as `body`.
std::string diagram(const Tumble& t, const std::string& more = "") {
  return "<diagram format=\"1\" name=\"tumble\" period=\"" + number(t.period) +
         " s\"><block name=\"body\" type=\"dynamics/RigidBody\" mass=\"300\" inertia=\"" +
         (t.matrix.empty() ? three(t.inertia) : t.matrix) + "\" angular_velocity=\"" + three(t.spin) + "\"" +
         (t.integrator.empty() ? "" : " integrator=\"" + t.integrator + "\"") +
         "/><block name=\"no_force\" type=\"sources/Constant\" value=\"0 0 0 N\"/>"
         "<block name=\"torque\" type=\"sources/Constant\" value=\"" +
         three(t.torque) +
         " N m/rad\"/>"
         "<block name=\"wrench\" type=\"kinematics/MakeWrench\"/><connect from=\"no_force.y\" to=\"wrench.force\"/>"
         "<connect from=\"torque.y\" to=\"wrench.torque\"/><connect from=\"wrench.wrench\" to=\"body.wrench\"/>" +
         more + "</diagram>";
}

DiagramRun run(const std::string& text, std::vector<std::string> observed, double duration) {
  DiagramRun r = run_diagram({text, {}, std::move(observed), duration});
  EXPECT_EQ(r.errors, "");
  return r;
}

struct Drift {
  double first = 0.0, last = 0.0; ///< largest relative error of energy in the first and the last tenth of the run
  double momentum = 0.0;          ///< largest relative change of the angular momentum
};

Drift drift(const Tumble& t, double duration) {
  const DiagramRun r = run(diagram(t), {"body.kinetic_energy", "body.angular_momentum"}, duration);
  const auto steps = static_cast<std::size_t>(r.steps);
  const auto momentum = [&](std::size_t k) {
    return Vector3(r.at("body.angular_momentum", k, 3, 0), r.at("body.angular_momentum", k, 3, 1),
                   r.at("body.angular_momentum", k, 3, 2));
  };
  Drift d;
  for (std::size_t k = 0; k < steps; ++k) {
    const double off = std::abs(r.at("body.kinetic_energy", k) / r.at("body.kinetic_energy", 0) - 1.0);
    if (k < steps / 10) d.first = std::max(d.first, off);
    if (k >= steps - steps / 10) d.last = std::max(d.last, off);
    d.momentum = std::max(d.momentum, (momentum(k) - momentum(0)).norm() / momentum(0).norm());
  }
  return d;
}

const Vector3 moments(80, 110, 95);
const Vector3 spin = Vector3(0.12, 0.2, 0.13).normalized() * 0.27;

TEST(Tumble, AThousandSecondsKeepEnergyAndMomentumByDefault) {
  const Drift d = drift({moments, spin, 1e-3, ""}, 1000.0);
  EXPECT_LT(d.last, 1e-7);
  EXPECT_LT(d.last, 1.5 * d.first + 1e-11) << "the error is bounded: it does not grow";
  EXPECT_LT(d.momentum, 1e-12);
}

TEST(Tumble, WhatWasCalledSymplecticGainsAsEulerDoes) {
  const Drift d = drift({moments, spin, 1e-3, "symplectic"}, 1000.0);
  EXPECT_GT(d.last, 5e-4);
}

TEST(Tumble, OfManyBodiesKeepsItsEnergyAtCoarseSteps) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> pick(0.0, 1.0);
  for (int i = 0; i < 20; ++i) {
    const Vector3 pair = Vector3(pick(random), pick(random), pick(random)) * 100.0 + Vector3::Constant(10.0);
    const Vector3 inertia(pair.y() + pair.z(), pair.x() + pair.z(), pair.x() + pair.y());
    const Vector3 w = Vector3(pick(random) - 0.5, pick(random) - 0.5, pick(random) - 0.5) * 4.0;
    const double period = 0.04 * pick(random) + 1e-3;
    const Drift d = drift({inertia, w, period, "variational"}, 20000 * period);
    const double phase = w.norm() * period;
    EXPECT_LT(d.last, phase * phase) << i;
    EXPECT_LT(d.last, 1.5 * d.first + 1e-10) << i;
    EXPECT_LT(d.momentum, 1e-12) << i;
  }
}

TEST(Tumble, VariationalIsOfSecondOrder) {
  const auto at = [](double period) {
    const DiagramRun r = run(diagram({moments, spin * 10.0, period, "variational"}), {"body.pose"}, 4.1);
    const auto k = static_cast<std::size_t>(std::llround(4.0 / period));
    return Quaternion(r.at("body.pose", k, 7, 3), r.at("body.pose", k, 7, 4), r.at("body.pose", k, 7, 5),
                      r.at("body.pose", k, 7, 6));
  };
  const Quaternion exact = at(0.125e-3);
  const auto error = [&](double period) { return rotation_log(exact.conjugate() * at(period)).norm(); };
  const double coarse = error(8e-3), middle = error(4e-3), fine = error(2e-3);
  EXPECT_NEAR(coarse / middle, 4.0, 0.1);
  EXPECT_NEAR(middle / fine, 4.0, 0.1);
}

TEST(Tumble, WithAFullInertiaKeepsEnergyToo) {
  const std::string full = "100 -32 20; -32 60 15; 20 15 90";
  const Drift d = drift({moments, spin * 4.0, 4e-3, "variational", full}, 400.0);
  EXPECT_LT(d.last, 1e-4);
  EXPECT_LT(d.last, 1.5 * d.first + 1e-10);
  EXPECT_LT(d.momentum, 1e-12);
}

TEST(Tumble, ThatNoTickResolvesStaysANumber) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> pick(-1.0, 1.0);
  for (int i = 0; i < 60; ++i) {
    const Vector3 inertia(18.0, 20.0, 22.0 + 15.0 * std::abs(pick(random)));
    const Vector3 w = Vector3(pick(random), pick(random), pick(random)) * std::pow(10.0, 3.0 + 3.0 * pick(random));
    const DiagramRun r = run(diagram({inertia, w, 1e-3, "variational"}), {"body.kinetic_energy"}, 3.0);
    EXPECT_NE(r.ending.kind, Ending::Kind::failed) << i << " " << w.norm() << " rad/s: " << r.ending.text;
  }
}

TEST(Tumble, OfASphereHasTheBitsOfSymplectic) {
  const Vector3 sphere(98, 98, 98);
  const std::vector<std::string> seen{"body.pose", "body.twist"};
  for (const Vector3& torque : {Vector3(0, 0, 0), Vector3(3, -2, 5)}) {
    const DiagramRun a = run(diagram({sphere, spin, 1e-3, "variational", {}, torque}), seen, 10.0);
    const DiagramRun b = run(diagram({sphere, spin, 1e-3, "symplectic", {}, torque}), seen, 10.0);
    EXPECT_EQ(a.signals.at("body.pose"), b.signals.at("body.pose")) << torque.transpose();
    EXPECT_EQ(a.signals.at("body.twist"), b.signals.at("body.twist")) << torque.transpose();
  }
}

struct Following {
  double error = 0.0; ///< rad, largest angle between command and robot
  double speed = 0.0; ///< rad/s, largest
};

Following follow(const Tumble& body, double frequency, double damping, double duration) {
  const std::string robot = "<block name=\"robot\" type=\"dynamics/RobotSink\" natural_frequency=\"" +
                            number(frequency) + " Hz\" damping_ratio=\"" + number(damping) +
                            "\"/><connect from=\"body.pose\" to=\"robot.command_pose\"/><connect from=\"body.twist\" "
                            "to=\"robot.command_twist\"/>";
  const DiagramRun r = run(diagram(body, robot), {"body.pose", "robot.pose", "robot.twist"}, duration);
  const auto attitude = [&](const char* signal, std::size_t k) {
    return Quaternion(r.at(signal, k, 7, 3), r.at(signal, k, 7, 4), r.at(signal, k, 7, 5), r.at(signal, k, 7, 6));
  };
  Following f;
  for (std::size_t k = 0; k < static_cast<std::size_t>(r.steps); ++k) {
    const Vector3 w(r.at("robot.twist", k, 6, 3), r.at("robot.twist", k, 6, 4), r.at("robot.twist", k, 6, 5));
    f.speed = std::max(f.speed, w.norm());
    f.error = std::max(f.error, rotation_log(attitude("body.pose", k).conjugate() * attitude("robot.pose", k)).norm());
  }
  return f;
}

TEST(RobotSink, FollowsOverWholeTurns) {
  const Vector3 w(0.3, -0.4, 0.5);
  const Following f = follow({Vector3(60, 98, 140), w, 1e-3, "zoh"}, 20.0, 0.7, 120.0);
  EXPECT_LT(f.speed, 1.5 * w.norm()) << "135 rad/s at 49 s before";
  EXPECT_LT(f.error, 0.02);
}

TEST(RobotSink, FollowsOverWholeTurnsWhateverTheBody) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> pick(0.0, 1.0);
  for (int i = 0; i < 25; ++i) {
    const Vector3 inertia = Vector3(pick(random), pick(random), pick(random)) * 40.0 + Vector3::Constant(70.0);
    const Vector3 w = Vector3(pick(random) - 0.5, pick(random) - 0.5, pick(random) - 0.5) * 3.0;
    const double frequency = 5.0 + 30.0 * pick(random), damping = 0.5 + 0.7 * pick(random);
    const Following f = follow({inertia, w, 1e-3, "zoh"}, frequency, damping, 40.0);
    const double most = w.norm() * std::sqrt(inertia.maxCoeff() / inertia.minCoeff()); // the energy allows no more
    EXPECT_LT(f.speed, 1.05 * most) << i;
    EXPECT_LT(f.error, 1.2 * most * (2.0 * damping / (6.283 * frequency) + 1e-3)) << i;
  }
}

TEST(RobotSink, TurnsAboutOneAxisAsItMovesAlongOne) {
  // the same second order: rad and m, the lag of a steady ramp from the first tick on
  const DiagramRun r = run("<diagram format=\"1\" name=\"one\" period=\"1 ms\">"
                           "<block name=\"x\" type=\"sources/Sine\" amplitude=\"0 0 0.5 m\" frequency=\"1 Hz\"/>"
                           "<block name=\"v\" type=\"sources/Sine\" amplitude=\"0 0 3.1415926535897931 m/s\" "
                           "frequency=\"1 Hz\" phase=\"90 deg\"/>"
                           "<block name=\"phi\" type=\"sources/Sine\" amplitude=\"0 0 0.5 rad\" frequency=\"1 Hz\"/>"
                           "<block name=\"w\" type=\"sources/Sine\" amplitude=\"0 0 3.1415926535897931 rad/s\" "
                           "frequency=\"1 Hz\" phase=\"90 deg\"/>"
                           "<block name=\"pose\" type=\"kinematics/MakePose\"/><block name=\"twist\" "
                           "type=\"kinematics/MakeTwist\"/><block name=\"robot\" type=\"dynamics/RobotSink\" "
                           "natural_frequency=\"8 Hz\"/><connect from=\"x.y\" to=\"pose.position\"/>"
                           "<connect from=\"phi.y\" to=\"pose.rotation\"/><connect from=\"v.y\" to=\"twist.linear\"/>"
                           "<connect from=\"w.y\" to=\"twist.angular\"/><connect from=\"pose.pose\" "
                           "to=\"robot.command_pose\"/><connect from=\"twist.twist\" to=\"robot.command_twist\"/>"
                           "</diagram>",
                           {"robot.pose", "robot.twist"}, 3.0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(r.steps); ++k) {
    ASSERT_NEAR(2.0 * std::atan2(r.at("robot.pose", k, 7, 6), r.at("robot.pose", k, 7, 3)), r.at("robot.pose", k, 7, 2),
                1e-12);
    ASSERT_NEAR(r.at("robot.twist", k, 6, 5), r.at("robot.twist", k, 6, 2), 1e-11);
  }
}

} // namespace
} // namespace hilda::test
