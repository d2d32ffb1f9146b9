// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/tdpa/tdpa_run.h"

namespace hilda::test {

/// The undelayed truth: the same body in the same walls in continuous time, by classical Runge-Kutta with the walls
/// evaluated at every stage. Written from the definitions, without the project's blocks.
class Ideal {
public:
  struct Point {
    Eigen::Vector3d r, n; ///< body axes; out of the wall
    double d;             ///< free where n.p >= d
  };
  struct State {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
    Vector6d twist = Vector6d::Zero();
  };

  double mass = 1, stiffness = 0, damping = 0, rotational_stiffness = 0, rotational_damping = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();
  Eigen::Vector3d half = Eigen::Vector3d::Constant(INFINITY), rotational_half = Eigen::Vector3d::Constant(INFINITY);
  std::vector<Point> points;
  std::function<Vector6d(double)> held; ///< acts besides, by time; may be empty

  /// States at 0, T, ... n T, each tick in `steps` parts.
  std::vector<State> run(State from, double T, std::size_t n, int steps) const;
  double kinetic(const Vector6d& v) const {
    return 0.5 * mass * v.head<3>().squaredNorm() + 0.5 * v.tail<3>().dot(inertia * v.tail<3>());
  }

private:
  struct Rate;
  Vector6d wrench(const State& s, double time) const;
  Rate rate(const State& s, double time) const;
};

/// Smaller angle between two attitudes, rad.
double angle_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b);

} // namespace hilda::test
