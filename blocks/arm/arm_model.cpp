// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/arm_model.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>

namespace hilda {
namespace {

Matrix3 skew(const Vector3& v) {
  Matrix3 s;
  s << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return s;
}

Matrix3 turned(const Matrix3& axes, const Matrix3& inertia) { return axes * inertia * axes.transpose(); }

} // namespace

ArmModel::ArmModel(ArmTable table, double base_scale) : table_(std::move(table)), n_(table_.joints()) {
  table_.base_mass *= base_scale;
  table_.base_inertia *= base_scale;
  const std::size_t joints = static_cast<std::size_t>(n_);
  frames_.resize(table_.links.size());
  loads_.resize(table_.links.size());
  axes_.resize(joints);
  pivots_.resize(joints);
  q_.setZero(n_);
  mass_.setZero(6 + n_, 6 + n_);
  bias_.setZero(6 + n_);
  right_side_.setZero(6 + n_);
}

void ArmModel::place() {
  Matrix3 R = base_;
  Vector3 o = base_ * table_.mount;
  std::size_t j = 0;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const ArmLink& link = table_.links[i];
    double angle = link.q0;
    if (link.moves) {
      axes_[j] = R.col(2);
      pivots_[j] = o;
      angle += q_[static_cast<Eigen::Index>(j++)];
    }
    const double ct = std::cos(angle), st = std::sin(angle), ca = std::cos(link.alpha), sa = std::sin(link.alpha);
    const Vector3 x = ct * R.col(0) + st * R.col(1), y = ct * R.col(1) - st * R.col(0), z = R.col(2);
    ArmFrame& f = frames_[i];
    f.axes.col(0) = x;
    f.axes.col(1) = ca * y + sa * z;
    f.axes.col(2) = ca * z - sa * y;
    f.com = o + f.axes * link.com;
    o += link.lambda * z + link.length * x;
    f.origin = o;
    R = f.axes;
  }
}

/// Column of joint j: momentum and joint torques of the bodies behind it, turning about its axis.
void ArmModel::joint_column(int j, const Composite& outer) {
  const std::size_t at = static_cast<std::size_t>(j);
  const Vector3 z = axes_[at], v0 = pivots_[at].cross(z);
  const Vector3 P = outer.mass * v0 + z.cross(outer.first), L = outer.second * z + outer.first.cross(v0);
  mass_.block<3, 1>(0, 6 + j) = P;
  mass_.block<3, 1>(3, 6 + j) = L;
  mass_.block<1, 3>(6 + j, 0) = P.transpose();
  mass_.block<1, 3>(6 + j, 3) = L.transpose();
  for (int k = 0; k <= j; ++k) {
    const Vector3 &zk = axes_[static_cast<std::size_t>(k)], &pk = pivots_[static_cast<std::size_t>(k)];
    mass_(6 + k, 6 + j) = mass_(6 + j, 6 + k) = zk.dot(L) + pk.cross(zk).dot(P);
  }
}

const ArmMatrix& ArmModel::mass_matrix() {
  Composite outer;
  int j = n_;
  for (std::size_t i = frames_.size(); i-- > 0;) {
    const ArmLink& link = table_.links[i];
    const ArmFrame& f = frames_[i];
    outer.mass += link.mass;
    outer.first += link.mass * f.com;
    outer.second += turned(f.axes, link.inertia) +
                    link.mass * (f.com.squaredNorm() * Matrix3::Identity() - f.com * f.com.transpose());
    if (link.moves) joint_column(--j, outer);
  }
  const Matrix3 S = skew(outer.first);
  mass_.block<3, 3>(0, 0) = (outer.mass + table_.base_mass) * Matrix3::Identity();
  mass_.block<3, 3>(3, 3) = outer.second + turned(base_, table_.base_inertia);
  mass_.block<3, 3>(3, 0) = S;
  mass_.block<3, 3>(0, 3) = -S;
  return mass_;
}

void ArmModel::link_loads(const ArmVector& nu, const ArmVector* rate) {
  Vector3 w = nu.segment<3>(3), dw = Vector3::Zero(), a = Vector3::Zero();
  if (rate != nullptr) a = rate->head<3>(), dw = rate->segment<3>(3);
  Vector3 o = base_ * table_.mount;
  a += dw.cross(o) + w.cross(w.cross(o));
  Eigen::Index j = 0;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const ArmLink& link = table_.links[i];
    const ArmFrame& f = frames_[i];
    if (link.moves) {
      const Vector3& z = axes_[static_cast<std::size_t>(j)];
      const double turning = nu[6 + j];
      dw += turning * w.cross(z);
      if (rate != nullptr) dw += (*rate)[6 + j] * z;
      w += turning * z;
      ++j;
    }
    const Vector3 to_com = f.com - o, to_end = f.origin - o;
    const Matrix3 I = turned(f.axes, link.inertia);
    loads_[i].force = link.mass * Vector3(a + dw.cross(to_com) + w.cross(w.cross(to_com)));
    loads_[i].moment = I * dw + w.cross(Vector3(I * w)) + f.com.cross(loads_[i].force);
    a += dw.cross(to_end) + w.cross(w.cross(to_end));
    o = f.origin;
  }
}

const ArmVector& ArmModel::bias(const ArmVector& nu) {
  link_loads(nu, nullptr);
  const Vector3 w = nu.segment<3>(3);
  Vector3 F = Vector3::Zero(), N = Vector3::Zero();
  Eigen::Index j = n_;
  for (std::size_t i = frames_.size(); i-- > 0;) {
    F += loads_[i].force;
    N += loads_[i].moment;
    if (!table_.links[i].moves) continue;
    const std::size_t at = static_cast<std::size_t>(--j);
    bias_[6 + j] = axes_[at].dot(N) + pivots_[at].cross(axes_[at]).dot(F);
  }
  const Matrix3 I = turned(base_, table_.base_inertia);
  bias_.head<3>() = F;
  bias_.segment<3>(3) = N + w.cross(Vector3(I * w));
  return bias_;
}

ArmJacobian ArmModel::jacobian(const Vector3& point, int link) const {
  ArmJacobian J;
  J.setZero(6, 6 + n_);
  J.block<3, 3>(0, 0).setIdentity();
  J.block<3, 3>(3, 3).setIdentity();
  J.block<3, 3>(0, 3) = -skew(point);
  Eigen::Index k = 0;
  for (int i = 0; i <= link; ++i) {
    if (!table_.links[static_cast<std::size_t>(i)].moves) continue;
    const std::size_t at = static_cast<std::size_t>(k);
    J.block<3, 1>(0, 6 + k) = axes_[at].cross(Vector3(point - pivots_[at]));
    J.block<3, 1>(3, 6 + k) = axes_[at];
    ++k;
  }
  return J;
}

JointJacobian ArmModel::dynamic_jacobian(const ArmJacobian& full) const {
  const Eigen::LLT<Matrix6> base(Matrix6(mass_.topLeftCorner<6, 6>()));
  const JointJacobian shares = base.solve(JointJacobian(mass_.topRightCorner(6, n_)));
  JointJacobian J = full.rightCols(n_);
  J -= full.leftCols<6>().lazyProduct(shares);
  return J;
}

const ArmVector& ArmModel::solve(const Vector3& force, const Vector3& moment) {
  const ArmJacobian J = sensor_jacobian();
  right_side_ += J.topRows<3>().transpose().lazyProduct(force) + J.bottomRows<3>().transpose().lazyProduct(moment);
  const Eigen::LLT<ArmMatrix> factor(mass_);
  factor.solveInPlace(right_side_);
  return right_side_;
}

SensorLoad ArmModel::sensor_load(const ArmVector& nu, const ArmVector& rate, const Vector3& force,
                                 const Vector3& moment) {
  link_loads(nu, &rate);
  const ArmFrame& at = sensor();
  Vector3 F = -force, T = -moment;
  for (std::size_t i = static_cast<std::size_t>(table_.sensor); i < loads_.size(); ++i) {
    F += loads_[i].force;
    T += loads_[i].moment - at.origin.cross(loads_[i].force);
  }
  return {at.axes.transpose() * F, at.axes.transpose() * T};
}

} // namespace hilda
