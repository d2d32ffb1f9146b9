// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/contact_elements.h"
#include <hilda/block.h>
#include <hilda/flags.h>

namespace hilda {
namespace {

/// A room that is at rest in W, with springs and dampers for walls, none of which pulls:
///   translation   |x_i| <= half_size_i of B's origin; without friction
///   rotation      |phi_i| <= rotational_half_size_i with phi = log q: g_i = -K_r (phi_i -+ half size) - D_r dphi_i/dt,
///   and
///                 the torque is J_r(phi)^-T g with dphi/dt = J_r(phi)^-1 w, so that springs alone conserve energy
///   points r of B, each against its half-space n.p >= d: f_n = max(0, K pen - D v_n) and friction -mu f_n
///   tanh(|v_t|/slip)
///                 along the sliding velocity
/// Without memory: wrench and stored energy follow from pose and twist.
struct VirtualRoom : Block {
  static constexpr std::uint32_t type_flags =
      HILDA_RAISES_NO_FLAGS; // of what is not there, `walls` shows as infinitely far
  Input<Pose> pose{*this, "pose", "B in W"};
  Input<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes"};
  Output<Wrench> wrench{*this, "wrench", "On the tool: force in W axes, torque about B's origin in B axes"};
  Output<Vector3> on_walls{*this, "on_walls", "N", "Force on walls and half-spaces, W axes"};
  Output<Matrix> walls{
      *this,      "walls",   "n+12 11", "", "The walls as contact elements, for an undelayed reference",
      from_state, unrecorded};

  Parameter<Elements<>> half_size{*this,
                                  "half_size",
                                  "*s",
                                  "m",
                                  "Of the room along x y z of W, one number or three; inf: no wall",
                                  by_default("inf")};
  Parameter<Elements<>> rotational_half_size{*this,
                                             "rotational_half_size",
                                             "*r",
                                             "rad",
                                             "Largest rotation vector, one number or three; inf: no wall",
                                             by_default("inf")};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of walls and half-spaces", at_least(0.0)};
  Parameter<double> damping{*this, "damping", "N s/m", "Of walls and half-spaces", at_least(0.0), by_default("0")};
  Parameter<double> rotational_stiffness{*this,         "rotational_stiffness", "N m/rad", "Of the rotational walls",
                                         at_least(0.0), by_default("0"),        rotational};
  Parameter<double> rotational_damping{*this,         "rotational_damping", "N m s/rad", "Of the rotational walls",
                                       at_least(0.0), by_default("0"),      rotational};
  Parameter<double> friction{*this,         "friction",     "", "Coefficient at the contact points",
                             at_least(0.0), by_default("0")};
  Parameter<double> slip_speed{*this,      "slip_speed",        "m/s", "At which friction has reached tanh(1)",
                               above(0.0), by_default("1 mm/s")};
  Parameter<Matrix> points{*this, "points", "n 3", "m", "Contact points, one row each, B axes", by_default("0 0 0;")};
  Parameter<Matrix> normals{
      *this, "normals", "n 3", "", "Of the half-spaces, out of the wall, W axes; unit vectors", by_default("0 0 1;")};
  Parameter<Vector> offsets{
      *this, "offsets", "n", "m", "d of the half-spaces n.p >= d; -inf: none", by_default("-inf")};

  Crossing<Vector> beyond{*this, "beyond", "n+6", "",
                          "How far B is behind each wall along and about x y z (m, rad), and each point in its "
                          "half-space (m)"};
  Crossing<Vector> press{*this, "press", "n+6", "",
                         "What spring and damper give there (N, N m); below 0 they would pull. 1: no contact"};

  void configure(const Instance& instance) override {
    for (const auto& [size, name] :
         {std::pair{half_size.size(), "half_size"}, {rotational_half_size.size(), "rotational_half_size"}})
      if (size != 1 && size != 3) instance.report(name, "has " + std::to_string(size) + " numbers; give one or three");
    if (!((*half_size) > 0.0).all()) instance.report("half_size", "must be above 0");
    if (!((*rotational_half_size) > 0.0).all()) instance.report("rotational_half_size", "must be above 0");
    for (Eigen::Index i = 0; i < points.rows(); ++i)
      if (std::abs((*normals).row(i).norm() - 1.0) > 1e-6)
        instance.report("normals", "row " + std::to_string(i + 1) + " is not a unit vector; scale it to length 1");
  }

  void state_output(const Tick&) override {
    auto rows = *walls;
    for (int i = 0; i < 6; ++i) {
      const double side = i % 2 == 0 ? 1.0 : -1.0;
      ContactElement flat, turn;
      flat.n = turn.n = side * Vector3::Unit(i / 2);
      flat.d = limit(half_size, i / 2), flat.k = *stiffness, flat.c = *damping;
      turn.rotation = true;
      turn.d = limit(rotational_half_size, i / 2), turn.k = *rotational_stiffness, turn.c = *rotational_damping;
      rows.row(i) = flat.row().transpose();
      rows.row(6 + i) = turn.row().transpose();
    }
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      ContactElement point;
      point.r = (*points).row(i), point.n = -(*normals).row(i), point.d = -(*offsets)[i];
      point.k = *stiffness, point.c = *damping, point.mu = *friction;
      rows.row(12 + i) = point.row().transpose();
    }
  }

  void output(const Tick& t) override {
    const Pose at = *pose;
    const Twist moving = *twist;
    const Vector3 w = moving.angular(), phi = rotation_log(at.orientation), rate = inverse_right_jacobian(phi, w);
    Vector3 force, generalised;
    for (int i = 0; i < 3; ++i) {
      force[i] = push(t, i, at.position[i], moving[i], limit(half_size, i), *stiffness, *damping);
      generalised[i] =
          push(t, 3 + i, phi[i], rate[i], limit(rotational_half_size, i), *rotational_stiffness, *rotational_damping);
    }
    Wrench total(force, inverse_right_jacobian_transposed(phi, generalised));
    const Matrix3 R = at.orientation.toRotationMatrix();
    for (Eigen::Index i = 0; i < points.rows(); ++i) total += at_point(t, i, at.position, R, moving);
    wrench = total;
    on_walls = Vector3(-total.force());
  }

  double stored_energy() const override {
    const Pose at = *pose;
    const Vector3 phi = rotation_log(at.orientation);
    const Matrix3 R = at.orientation.toRotationMatrix();
    const auto spring = [](double k, double depth) { return depth > 0.0 ? 0.5 * k * depth * depth : 0.0; };
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      sum += spring(*stiffness, std::abs(at.position[i]) - limit(half_size, i));
      sum += spring(*rotational_stiffness, std::abs(phi[i]) - limit(rotational_half_size, i));
    }
    for (Eigen::Index i = 0; i < points.rows(); ++i) sum += spring(*stiffness, depth(i, at.position, R));
    return sum;
  }

private:
  static double limit(const Parameter<Elements<>>& sizes, int axis) { return (*sizes)[sizes.size() == 3 ? axis : 0]; }

  /// Of the wall that `x` is behind, if any; which is crossing `i`.
  double push(const Tick& t, Eigen::Index i, double x, double v, double half, double K, double D) {
    if (t.located()) {
      const double side = x < 0 ? -1.0 : 1.0, deep = side * x - half;
      return pushes(i, deep, K * deep + D * side * v) ? -K * (x - side * half) - D * v : 0.0;
    }
    if (x > half) return std::min(0.0, -K * (x - half) - D * v);
    if (x < -half) return std::max(0.0, -K * (x + half) - D * v);
    return 0.0;
  }
  /// As the sides of the crossings say.
  bool pushes(Eigen::Index i, double deep, double pushed) {
    const bool touches = beyond.positive(deep, i);
    const bool presses = press.positive(touches ? pushed : 1, i);
    return touches && presses;
  }
  Vector3 point(Eigen::Index i) const { return (*points).row(i); }
  Vector3 normal(Eigen::Index i) const { return (*normals).row(i); }
  double depth(Eigen::Index i, const Vector3& position, const Matrix3& R) const {
    return (*offsets)[i] - normal(i).dot(position + R * point(i));
  }

  Wrench at_point(const Tick& t, Eigen::Index i, const Vector3& position, const Matrix3& R, const Twist& moving) {
    const double pen = depth(i, position, R);
    if (!t.located() && !(pen > 0.0)) return Wrench();
    const Vector3 r = point(i), n = normal(i), w = moving.angular();
    const Vector3 v = Vector3(moving.linear()) + R * w.cross(r);
    const double vn = n.dot(v), pushed = *stiffness * pen - *damping * vn;
    const double fn = !t.located() ? std::max(0.0, pushed) : pushes(6 + i, pen, pushed) ? pushed : 0.0;
    const Vector3 sliding = v - vn * n;
    const double speed = sliding.norm();
    Vector3 f = fn * n;
    if (*friction > 0.0 && speed > 0.0) f -= *friction * fn * std::tanh(speed / *slip_speed) / speed * sliding;
    return Wrench(f, r.cross(R.transpose() * f));
  }
};
HILDA_BLOCK(VirtualRoom,
            "A room of springs and dampers, in translation and rotation, and contact points against half-spaces.")

} // namespace
} // namespace hilda
