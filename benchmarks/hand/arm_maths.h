// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The seven-joint arm on a free base and the laws of the force/torque control (Dyba et al. 2023), by hand: sizes fixed
// when compiled, nothing kept that the loop does not need. Code that is called several times a tick stays a function.

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace hand::HAND::arm {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Joints = Eigen::Matrix<double, 7, 1>;
using Velocity = Eigen::Matrix<double, 13, 1>; ///< base, base turning (inertial axes), joints
using MassMatrix = Eigen::Matrix<double, 13, 13>;
using Jacobian = Eigen::Matrix<double, 6, 13>;
using JointJacobian = Eigen::Matrix<double, 6, 7>;

constexpr std::size_t joints = 7, links = 8;
constexpr double period = 1e-3;

struct Link {
  double q0, lambda, length, alpha, mass;
  Vector3d com;
  Matrix3d inertia;
};

inline const std::array<Link, links>& table() {
  static const std::array<Link, links> rows = [] {
    const auto tensor = [](double xx, double yy, double zz, double xz) {
      Matrix3d I;
      I << xx, 0, xz, 0, yy, 0, xz, 0, zz;
      return I;
    };
    constexpr double right = std::numbers::pi / 2;
    return std::array<Link, links>{Link{right, 0.4, 0, right, 15, {0, .3, 0}, tensor(.2, .15, .1, 0)},
                                   Link{right, -0.35, 0, right, 13, {0, -.25, 0}, tensor(.2, .12, .12, 0)},
                                   Link{0, -0.3, 0.6, 0, 18, {.3, 0, -.2}, tensor(.3, 1, 1, .2)},
                                   Link{0, -0.35, 0.35, 0, 10, {.25, 0, -.35}, tensor(.08, .45, .4, .1)},
                                   Link{0, -0.3, 0, -right, 8.5, {0, .2, 0}, tensor(.6, .55, .35, 0)},
                                   Link{right, 0.3, 0, right, 10.5, {0, .25, 0}, tensor(.75, .4, .7, 0)},
                                   Link{0, 0.25, 0, 0, 5, {0, 0, .1}, tensor(.3, .3, .3, 0)},
                                   Link{0, 0.175, 0, 0, 7, {0, 0, .1}, tensor(.09, .05, .12, 0)}};
  }();
  return rows;
}
constexpr double base_mass = 500;
inline Matrix3d base_inertia() { return Vector3d(79, 79, 117).asDiagonal(); }
inline Vector3d mount() { return {0.2, 0.2, 0.2}; }

struct State {
  Vector3d p = Vector3d::Zero();
  Eigen::Vector4d turn{1, 0, 0, 0}; ///< w x y z
  Joints q;
  Velocity nu = Velocity::Zero();
  Vector3d impulse = Vector3d::Zero(), turning_impulse = Vector3d::Zero();
};

/// Places of everything, mass matrix and bias at one state; all from the base's centre of mass, inertial axes.
struct Model {
  struct Body {
    Matrix3d axes, inertia;
    Vector3d end, com;
  };
  Matrix3d base, base_turned;
  std::array<Body, links> body;
  std::array<Vector3d, joints> axis, pivot;
  MassMatrix M;
  Velocity bias;

  [[gnu::noinline]] void place(const State& x) {
    base = Quaterniond(x.turn[0], x.turn[1], x.turn[2], x.turn[3]).normalized().toRotationMatrix();
    base_turned = base * base_inertia() * base.transpose();
    Matrix3d R = base;
    Vector3d o = base * mount();
    for (std::size_t i = 0; i < links; ++i) {
      const Link& l = table()[i];
      double angle = l.q0;
      if (i < joints) axis[i] = R.col(2), pivot[i] = o, angle += x.q[static_cast<Eigen::Index>(i)];
      const double ct = std::cos(angle), st = std::sin(angle), ca = std::cos(l.alpha), sa = std::sin(l.alpha);
      const Vector3d X = ct * R.col(0) + st * R.col(1), Y = ct * R.col(1) - st * R.col(0), Z = R.col(2);
      Body& b = body[i];
      b.axes.col(0) = X, b.axes.col(1) = ca * Y + sa * Z, b.axes.col(2) = ca * Z - sa * Y;
      b.com = o + b.axes * l.com;
      b.inertia = b.axes * l.inertia * b.axes.transpose();
      o += l.lambda * Z + l.length * X;
      b.end = o;
      R = b.axes;
    }
  }

  /// Composite bodies, from the end on.
  [[gnu::noinline]] void mass() {
    double m = 0;
    Vector3d s = Vector3d::Zero();
    Matrix3d O = Matrix3d::Zero();
    for (std::size_t i = links; i-- > 0;) {
      const Body& b = body[i];
      const double own = table()[i].mass;
      m += own;
      s += own * b.com;
      O += b.inertia + own * (b.com.squaredNorm() * Matrix3d::Identity() - b.com * b.com.transpose());
      if (i >= joints) continue;
      const Eigen::Index at = 6 + static_cast<Eigen::Index>(i);
      const Vector3d v0 = pivot[i].cross(axis[i]);
      const Vector3d P = m * v0 + axis[i].cross(s), L = O * axis[i] + s.cross(v0);
      M.block<3, 1>(0, at) = P, M.block<3, 1>(3, at) = L;
      M.block<1, 3>(at, 0) = P.transpose(), M.block<1, 3>(at, 3) = L.transpose();
      for (std::size_t k = 0; k <= i; ++k) {
        const Eigen::Index other = 6 + static_cast<Eigen::Index>(k);
        M(other, at) = M(at, other) = axis[k].dot(L) + pivot[k].cross(axis[k]).dot(P);
      }
    }
    Matrix3d S;
    S << 0, -s.z(), s.y(), s.z(), 0, -s.x(), -s.y(), s.x(), 0;
    M.block<3, 3>(0, 0) = (m + base_mass) * Matrix3d::Identity();
    M.block<3, 3>(3, 3) = O + base_turned;
    M.block<3, 3>(3, 0) = S, M.block<3, 3>(0, 3) = -S;
  }

  /// Newton and Euler without accelerations.
  [[gnu::noinline]] void loads(const Velocity& nu) {
    std::array<Vector3d, links> force, moment;
    const Vector3d w0 = nu.segment<3>(3);
    Vector3d w = w0, dw = Vector3d::Zero(), o = base * mount(), a = w.cross(w.cross(o));
    for (std::size_t i = 0; i < links; ++i) {
      const Body& b = body[i];
      if (i < joints) {
        const double rate = nu[6 + static_cast<Eigen::Index>(i)];
        dw += rate * w.cross(axis[i]);
        w += rate * axis[i];
      }
      const Vector3d to_com = b.com - o, to_end = b.end - o;
      force[i] = table()[i].mass * Vector3d(a + dw.cross(to_com) + w.cross(w.cross(to_com)));
      moment[i] = b.inertia * dw + w.cross(Vector3d(b.inertia * w)) + b.com.cross(force[i]);
      a += dw.cross(to_end) + w.cross(w.cross(to_end));
      o = b.end;
    }
    Vector3d F = Vector3d::Zero(), N = F;
    for (std::size_t i = links; i-- > 0;) {
      F += force[i], N += moment[i];
      if (i < joints) bias[6 + static_cast<Eigen::Index>(i)] = axis[i].dot(N) + pivot[i].cross(axis[i]).dot(F);
    }
    bias.head<3>() = F;
    bias.segment<3>(3) = N + w0.cross(Vector3d(base_turned * w0));
  }

  [[gnu::noinline]] Jacobian jacobian(const Vector3d& point) const {
    Jacobian J = Jacobian::Zero();
    J.block<3, 3>(0, 0).setIdentity(), J.block<3, 3>(3, 3).setIdentity();
    J.block<3, 3>(0, 3) << 0, point.z(), -point.y(), -point.z(), 0, point.x(), point.y(), -point.x(), 0;
    for (std::size_t i = 0; i < joints; ++i) {
      const Eigen::Index at = 6 + static_cast<Eigen::Index>(i);
      J.block<3, 1>(0, at) = axis[i].cross(Vector3d(point - pivot[i])), J.block<3, 1>(3, at) = axis[i];
    }
    return J;
  }
};

/// A ring that is at rest, and the soft sphere below it.
struct Ring {
  Vector3d place;
  Matrix3d axes;
  double stiffness = 1e-6; ///< N m2

  Vector3d force(const Vector3d& point) const { // ring axes
    const Vector3d away = axes.transpose() * (point - place) - Vector3d(0, 0, -0.015);
    const double distance = away.norm(), r = 0.03;
    if (!(distance < r && distance > 0)) return Vector3d::Zero();
    return stiffness * (r - distance) / (r * r * r) / distance * away;
  }
};

struct Rates {
  Vector3d p;
  Eigen::Vector4d turn;
  Joints q;
  Velocity nu;
  Vector3d impulse, turning_impulse;
};

[[gnu::noinline]] inline Rates rates(Model& m, const Ring& ring, const State& x, const Joints& torque) {
  m.place(x);
  m.mass();
  m.loads(x.nu);
  const Vector3d f = ring.axes * ring.force(x.p + m.body[links - 1].end), at = m.body[joints - 1].end;
  Velocity right = -m.bias;
  right.tail<7>() += torque;
  right += m.jacobian(at).topRows<3>().transpose() * f;
  Rates d;
  // of bounded size: the fixed one takes the compiler minutes
  using Bounded = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 13, 13>;
  d.nu = Eigen::LLT<Bounded>(m.M).solve(right);
  const Vector3d w = x.nu.segment<3>(3), axis = x.turn.tail<3>();
  d.p = x.nu.head<3>(), d.q = x.nu.tail<7>();
  d.turn[0] = -0.5 * w.dot(axis), d.turn.tail<3>() = 0.5 * (x.turn[0] * w + w.cross(axis));
  d.impulse = f, d.turning_impulse = Vector3d(x.p + at).cross(f);
  return d;
}

[[gnu::noinline]] inline State moved(const State& x, const Rates& d, double h) {
  return {x.p + h * d.p,   x.turn + h * d.turn,       x.q + h * d.q,
          x.nu + h * d.nu, x.impulse + h * d.impulse, x.turning_impulse + h * d.turning_impulse};
}

/// What the controller computes of its measurements in a tick.
struct Kinematics {
  Vector6 X, V;
  Matrix3d tool; ///< end effector to ring axes
  JointJacobian D;
  Vector3d linear, angular; ///< momentum
};

[[gnu::noinline]] inline Kinematics kinematics(Model& m, const Ring& ring, const State& x) {
  m.place(x);
  m.mass();
  const Model::Body& end = m.body[links - 1];
  const Jacobian J = m.jacobian(end.end);
  const Vector6 v = J * x.nu, h = m.M.topRows<6>() * x.nu;
  Kinematics k;
  k.tool = ring.axes.transpose() * end.axes;
  const Matrix3d& R = k.tool;
  k.X << ring.axes.transpose() * (x.p + end.end - ring.place), std::atan2(R(2, 1), R(2, 2)),
      -std::asin(std::clamp(R(2, 0), -1.0, 1.0)), std::atan2(R(1, 0), R(0, 0));
  k.V << ring.axes.transpose() * v.head<3>(), ring.axes.transpose() * v.tail<3>();
  const Eigen::LLT<Matrix6> base(Matrix6(m.M.topLeftCorner<6, 6>()));
  const JointJacobian D = J.rightCols<7>() - J.leftCols<6>() * base.solve(JointJacobian(m.M.topRightCorner<6, 7>()));
  k.D.topRows<3>() = end.axes.transpose() * D.topRows<3>();
  k.D.bottomRows<3>() = end.axes.transpose() * D.bottomRows<3>();
  k.linear = h.head<3>();
  k.angular = h.tail<3>() + x.p.cross(Vector3d(h.head<3>()));
  return k;
}

enum class Inverse { svd, orthogonal, normal };

[[gnu::noinline]] inline Joints shortest(const JointJacobian& A, const Vector6& b, Inverse method) {
  using Wide = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 7>; // thin U and V need it
  switch (method) {
  case Inverse::svd: return Eigen::JacobiSVD<Wide>(Wide(A), Eigen::ComputeThinU | Eigen::ComputeThinV).solve(b);
  case Inverse::orthogonal: return Eigen::CompleteOrthogonalDecomposition<JointJacobian>(A).solve(b);
  case Inverse::normal: break;
  }
  return A.transpose() * Eigen::LLT<Matrix6>(Matrix6(A * A.transpose())).solve(b);
}

} // namespace hand::HAND::arm
