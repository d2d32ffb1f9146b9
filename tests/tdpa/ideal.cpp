// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tdpa/ideal.h"

#include <cmath>

namespace hilda::test {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

struct Ideal::Rate {
  Vector3d position;
  Eigen::Vector4d orientation;
  Vector6d twist;
};

namespace {

double one_sided(double x, double v, double half, double k, double d) {
  if (std::abs(x) <= half) return 0.0;
  const double side = x > 0 ? 1.0 : -1.0;
  return -side * std::max(0.0, k * (std::abs(x) - half) + d * side * v);
}

Vector3d log_of(const Quaterniond& q) {
  const Eigen::AngleAxisd turned(q);
  const double angle = turned.angle() > M_PI ? turned.angle() - 2 * M_PI : turned.angle();
  return angle * turned.axis();
}

Matrix3d cross_of(const Vector3d& v) {
  Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// dphi/dt = J^-1 w
Matrix3d inverse_jacobian(const Vector3d& phi) {
  const double a = phi.norm();
  const double c = a < 1e-3 ? 1.0 / 12.0 + a * a / 720.0 : (1.0 - 0.5 * a / std::tan(0.5 * a)) / (a * a);
  const Matrix3d x = cross_of(phi);
  return Matrix3d::Identity() + 0.5 * x + c * x * x;
}

} // namespace

Vector6d Ideal::wrench(const State& s, double time) const {
  Vector6d F = held ? held(time) : Vector6d(Vector6d::Zero());
  for (int i = 0; i < 3; ++i) F[i] += one_sided(s.position[i], s.twist[i], half[i], stiffness, damping);
  const Vector3d w = s.twist.tail<3>();
  if (rotational_stiffness > 0) {
    const Vector3d phi = log_of(s.orientation);
    const Matrix3d J = inverse_jacobian(phi);
    const Vector3d speed = J * w;
    Vector3d g;
    for (int i = 0; i < 3; ++i)
      g[i] = one_sided(phi[i], speed[i], rotational_half[i], rotational_stiffness, rotational_damping);
    F.tail<3>() += J.transpose() * g;
  }
  const Matrix3d R = s.orientation.normalized().toRotationMatrix();
  for (const Point& p : points) {
    const double depth = p.d - p.n.dot(s.position + R * p.r);
    if (depth <= 0) continue;
    const Vector3d v = s.twist.head<3>() + R * w.cross(p.r);
    const Vector3d f = std::max(0.0, stiffness * depth - damping * p.n.dot(v)) * p.n;
    F.head<3>() += f;
    F.tail<3>() += p.r.cross(R.transpose() * f);
  }
  return F;
}

Ideal::Rate Ideal::rate(const State& s, double time) const {
  const Vector6d F = wrench(s, time);
  const Vector3d w = s.twist.tail<3>();
  Rate r;
  r.position = s.twist.head<3>();
  r.orientation = 0.5 * (s.orientation * Quaterniond(0, w.x(), w.y(), w.z())).coeffs();
  r.twist << F.head<3>() / mass, inertia.inverse() * (F.tail<3>() + (inertia * w).cross(w));
  return r;
}

std::vector<Ideal::State> Ideal::run(State s, double T, std::size_t n, int steps) const {
  std::vector<State> states{s};
  const double h = T / steps;
  const auto moved = [](const State& from, const Rate& by, double dt) {
    State to;
    to.position = from.position + dt * by.position;
    to.orientation = Quaterniond(Eigen::Vector4d(from.orientation.coeffs() + dt * by.orientation));
    to.twist = from.twist + dt * by.twist;
    return to;
  };
  for (std::size_t k = 0; k < n; ++k) {
    for (int j = 0; j < steps; ++j) {
      const double t = static_cast<double>(k) * T + j * h;
      const Rate a = rate(s, t), b = rate(moved(s, a, h / 2), t + h / 2), c = rate(moved(s, b, h / 2), t + h / 2),
                 d = rate(moved(s, c, h), t + h);
      const Rate mean{(a.position + 2 * b.position + 2 * c.position + d.position) / 6,
                      (a.orientation + 2 * b.orientation + 2 * c.orientation + d.orientation) / 6,
                      (a.twist + 2 * b.twist + 2 * c.twist + d.twist) / 6};
      s = moved(s, mean, h);
      s.orientation.normalize();
    }
    states.push_back(s);
  }
  return states;
}

double angle_between(const Quaterniond& a, const Quaterniond& b) { return a.angularDistance(b); }

} // namespace hilda::test
