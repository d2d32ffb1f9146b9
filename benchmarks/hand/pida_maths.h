// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The maths of the PIDA loop as plain functions of values, for the two ways of calling them in pida.cpp. It is that
// of the blocks with the features that the benchmarked diagram leaves off (noise, second order, other integrators).

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstdint>

namespace hand::HAND {
namespace {

template <int Rows, int Cols> using Fixed = Eigen::Matrix<double, Rows, Cols, Eigen::DontAlign>;
using Vector2 = Fixed<2, 1>;
using Vector3 = Fixed<3, 1>;
using Matrix2 = Fixed<2, 2>;
using Matrix3 = Fixed<3, 3>;
using Quaternion = Eigen::Quaternion<double, Eigen::DontAlign>;

constexpr double period = 1e-3;

struct Pose {
  Vector3 position = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();
};
struct Twist {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};
struct Wrench {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
};
struct PointState {
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero();
};

inline Quaternion rotation_exp(const Vector3& phi) {
  const double angle = std::sqrt(phi.dot(phi)), half = 0.5 * angle;
  const double s = angle > 1e-4 ? std::sin(half) / angle : 0.5 - angle * angle / 48.0;
  return Quaternion(std::cos(half), s * phi.x(), s * phi.y(), s * phi.z());
}

/// J_r^-1(phi) w
inline Vector3 inverse_right_jacobian(const Vector3& phi, const Vector3& w) {
  const Vector3 cross = phi.cross(w);
  const double a2 = phi.dot(phi), half = 0.5 * std::sqrt(a2);
  const double c =
      a2 < 1e-4 ? 1.0 / 12.0 + a2 / 720.0 + a2 * a2 / 30240.0 : (1.0 - half * std::cos(half) / std::sin(half)) / a2;
  return w + 0.5 * cross + c * phi.cross(cross);
}

inline PointState point_on(const Pose& pose, const Twist& twist, const Vector3& r) {
  const Vector3 arm = pose.orientation * r, spin = pose.orientation * twist.angular;
  return {pose.position + arm, twist.linear + spin.cross(arm)};
}

/// A free rigid body, variational.
struct Body {
  double mass = 0, inverse_mass = 0;
  Matrix3 inertia, inverse;
  Vector3 x = Vector3::Zero(), v = Vector3::Zero(), L = Vector3::Zero();
  Quaternion q = Quaternion::Identity();

  Body(double m, double about_each_axis, double speed)
      : mass(m), inverse_mass(1.0 / m), inertia(about_each_axis * Matrix3::Identity()), inverse(inertia.inverse()) {
    v[0] = speed;
  }
};
struct BodyOutputs {
  Pose pose;
  Twist twist;
  double energy = 0;
  Vector3 momentum = Vector3::Zero(), angular_momentum = Vector3::Zero();
};
inline BodyOutputs outputs(const Body& b) {
  const Vector3 spin = b.inverse * (b.q.conjugate() * b.L), momentum = b.mass * b.v;
  const double energy = 0.5 * b.mass * b.v.squaredNorm() + 0.5 * spin.dot(b.inertia * spin);
  return {{b.x, b.q}, {b.v, spin}, energy, momentum, b.x.cross(momentum) + b.L};
}
inline Matrix3 cross(const Vector3& a) {
  Matrix3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}
/// By how much the body turns in a tick, by Newton's method.
inline Vector3 turn(const Body& b) {
  const Vector3 momentum = b.q.conjugate() * b.L, wanted = momentum * period;
  const Vector3 plain = (b.inverse * momentum) * period;
  Vector3 phi = plain;
  bool close = false;
  for (int i = 0; i < 12 && phi.squaredNorm() < 1.0; ++i) {
    const Vector3 momentum_of = b.inertia * phi, off = inverse_right_jacobian(phi, momentum_of) - wanted;
    if (off.squaredNorm() <= 1e-30 * wanted.squaredNorm()) return phi;
    close = off.squaredNorm() <= 1e-24 * wanted.squaredNorm();
    phi -= Matrix3(b.inertia + 0.5 * (cross(phi) * b.inertia - cross(momentum_of))).inverse() * off;
  }
  return close ? phi : plain;
}
inline void move(Body& b, const Wrench& on) {
  b.L += (b.q * on.torque) * period;
  b.v += on.force * b.inverse_mass * period;
  b.x += b.v * period;
  b.q = (b.q * rotation_exp(turn(b))).normalized();
}

/// As seen from the common centre of mass.
struct Energies {
  double service = 0, target = 0;
};
inline Energies relative_energy(double service_mass, double target_mass, const BodyOutputs& s, const BodyOutputs& t) {
  const Vector3 centre = (service_mass * s.twist.linear + target_mass * t.twist.linear) / (service_mass + target_mass);
  const auto seen = [&centre](double mass, const BodyOutputs& of) {
    return of.energy + 0.5 * mass * ((of.twist.linear - centre).squaredNorm() - of.twist.linear.squaredNorm());
  };
  return {seen(service_mass, s), seen(target_mass, t)};
}

struct Motion {
  Pose pose;
  Twist twist;
};
struct Frames {
  Vector3 service_offset = Vector3::Zero(), target_offset = Vector3::Zero();
  Quaternion service_rotation = Quaternion::Identity(), target_rotation = Quaternion::Identity();
};
inline Motion relative_motion(const Frames& f, const Pose& s, const Twist& s_twist, const Pose& t,
                              const Twist& t_twist) {
  const Quaternion tool = s.orientation * f.service_rotation, world = t.orientation * f.target_rotation;
  const PointState a = point_on(s, s_twist, f.service_offset), b = point_on(t, t_twist, f.target_offset);
  const Vector3 w_service = s.orientation * s_twist.angular, w_target = t.orientation * t_twist.angular;
  const Vector3 between = a.position - b.position;
  const Quaternion to_world = world.conjugate();
  return {{to_world * between, (to_world * tool).normalized()},
          {to_world * Vector3(a.velocity - b.velocity - w_target.cross(between)),
           tool.conjugate() * Vector3(w_service - w_target)}};
}

struct OnBodies {
  Wrench service, target;
};
inline OnBodies on_bodies(const Frames& f, const Wrench& given, const Pose& s, const Pose& t) {
  const Vector3 force = (t.orientation * f.target_rotation) * given.force, torque = f.service_rotation * given.torque;
  const Vector3 in_body = s.orientation.conjugate() * force;
  const Vector3 arm = s.position + s.orientation * f.service_offset - t.position;
  return {{force, torque + f.service_offset.cross(in_body)},
          {-force, -(t.orientation.conjugate() * Vector3(s.orientation * torque + arm.cross(force)))}};
}

/// A dead time of whole ticks.
struct Line {
  std::array<Motion, 20> entries;
  std::size_t head = 0;

  void prime(const Motion& first) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double before = -period * static_cast<double>(entries.size() - i);
      entries[i] = first;
      entries[i].pose.position += first.twist.linear * before;
      entries[i].pose.orientation = first.pose.orientation * rotation_exp(first.twist.angular * before);
    }
  }
  const Motion& oldest() const { return entries[head]; }
  void push(const Pose& pose, const Twist& twist) {
    entries[head] = {pose, twist};
    if (++head == entries.size()) head = 0;
  }
};

struct Walls {
  Vector3 normal = Vector3::UnitX(), middle = Vector3::Zero();
  double gap = 0.03, stiffness = 176275, damping = 0;
};
struct Pressed {
  Wrench on_wall;
  double depth = 0;
};
inline Pressed press(const Walls& w, const PointState& tip) {
  const double off = (tip.position - w.middle).dot(w.normal), side = off >= 0.0 ? 1.0 : -1.0;
  const double depth = side * off - 0.5 * w.gap, rate = side * tip.velocity.dot(w.normal);
  const double size = depth > 0.0 ? std::max(0.0, w.stiffness * depth + w.damping * rate) : 0.0;
  const Vector3 force = side * size * w.normal;
  return {{force, tip.position.cross(force)}, depth};
}

inline Wrench on_tool(const Wrench& on_wall, const Pose& tool) {
  return {-on_wall.force, tool.orientation.conjugate() * Vector3(tool.position.cross(on_wall.force) - on_wall.torque)};
}
inline Wrench on_wall(const Wrench& on_tool, const Pose& tool) {
  return {-on_tool.force, -(tool.orientation * on_tool.torque + tool.position.cross(on_tool.force))};
}

struct Gate {
  double threshold = 0.5;
  std::int64_t ticks = 0;
  bool touched(const Wrench& measured) {
    const bool touching = measured.force.norm() > threshold;
    ticks = touching ? ticks + 1 : 0;
    return touching;
  }
};

struct Lead {
  double tau = 0;
  Wrench previous;
  Wrench led(const Wrench& now, bool touching) {
    Wrench result;
    if (touching) {
      const double f = tau / period;
      result = {now.force + f * (now.force - previous.force), now.torque + f * (now.torque - previous.torque)};
    }
    previous = now;
    return result;
  }
};

/// Stiffness and damping by the adaptive Kalman filter.
struct Filter {
  double forgetting = 0.98, R = 100;
  Vector2 X = Vector2::Zero(), sum = Vector2::Zero(), slope_sums = Vector2::Zero();
  Matrix2 P = Matrix2::Zero(), Q = Matrix2::Zero();
  Vector3 force = Vector3::Zero(), e = Vector3::Zero();
  PointState at;
  std::int64_t updates = 0;

  void identify(const Vector3& F, const PointState& now, std::int64_t ticks) {
    const double size = F.norm();
    e = size > 0.0 ? Vector3(F / size) : Vector3(Vector3::Zero());
    const Vector2 H((now.position - at.position).dot(e), (now.velocity - at.velocity).dot(e));
    if (ticks > 2 && std::abs(H[0]) > 1e-9) {
      if (updates == 0) begin(size, H[0]);
      learn(H, (F - force).dot(e));
    }
    force = F, at = now;
  }
  /// The first guess is as far off as the contact is stiff.
  void begin(double size, double moved) {
    const double k = 3.0 * size / std::abs(moved), c = 10.0 * period * k;
    P = Vector2(k * k, c * c).asDiagonal();
  }
  void learn(const Vector2& H, double dF) {
    const Matrix2 before = P + Q;
    const double y = dF - H.dot(X), spread = H.dot(Vector2(before * H));
    const double d = (1.0 - forgetting) / (1.0 - std::pow(forgetting, static_cast<double>(updates + 1)));
    R = (1.0 - d) * R + d * (y * y + spread);
    const Vector2 K = before * H / (spread + R);
    X += K * y;
    const Matrix2 keep = Matrix2::Identity() - K * H.transpose();
    P = keep * before * keep.transpose() + K * R * K.transpose();
    ++updates, sum += X, slope_sums += Vector2(dF * H[0], H[0] * H[0]);
  }
};

inline Wrench compensated(const Wrench& given, bool touching, const Vector2& wall, const PointState& commanded,
                          const PointState& actual, const Vector3& origin) {
  const double size = given.force.norm();
  if (!touching || size == 0.0) return given;
  const Vector3 e = given.force / size, lag = commanded.position - actual.position;
  const double short_of = wall[0] * lag.dot(e) + wall[1] * (commanded.velocity - actual.velocity).dot(e);
  const Vector3 missing = short_of * e, whole = given.force + missing;
  return {whole, given.torque + lag.cross(whole) + (actual.position - origin).cross(missing)};
}

inline Wrench clamped(const Wrench& given, const Wrench& measured) {
  return given.force.dot(measured.force) <= 0.0 ? Wrench() : given;
}

/// Energy observer and controller along the contact, after the paper.
struct Passivity {
  Vector3 origin = Vector3::Zero();
  double energy = 0;
  Vector3 last_force = Vector3::Zero(), last_damping = Vector3::Zero(), last_velocity = Vector3::Zero(),
          last_added = Vector3::Zero();

  Wrench controlled(const Wrench& given, const PointState& tip, const Vector3& e, double damping, bool touching) {
    const Vector3& v = tip.velocity;
    const Vector3 dissipating = damping * v.dot(e) * e;
    Vector3 added = Vector3::Zero();
    if (touching) {
      const Vector3 elastic =
          v.dot(given.force) > 0.0 ? Vector3(last_force - last_damping) : Vector3(given.force - dissipating);
      energy += (elastic.dot(v) + last_added.dot(last_velocity)) * period;
      const double speed = v.dot(e);
      if (energy < 0.0 && std::abs(speed) > 1e-6) added = -energy / (speed * period) * e;
      last_damping = dissipating;
    } else {
      energy = 0;
      last_damping.setZero();
    }
    last_force = given.force, last_velocity = v, last_added = added;
    return {given.force + added, given.torque + (tip.position - origin).cross(added)};
  }
};

/// How far the total momentum has moved.
struct Balance {
  bool started = false;
  Vector3 linear_start = Vector3::Zero(), angular_start = Vector3::Zero();
  double linear_scale = 1, angular_scale = 1, linear = 0, angular = 0, linear_worst = 0, angular_worst = 0;

  void look(const BodyOutputs& a, const BodyOutputs& b) {
    const Vector3 p = a.momentum + b.momentum, l = a.angular_momentum + b.angular_momentum;
    linear = started ? (p - linear_start).norm() / linear_scale : 0.0;
    angular = started ? (l - angular_start).norm() / angular_scale : 0.0;
    if (!started) remember(a, b, p, l);
    linear_worst = std::max(linear_worst, linear);
    angular_worst = std::max(angular_worst, angular);
  }
  void remember(const BodyOutputs& a, const BodyOutputs& b, const Vector3& p, const Vector3& l) {
    const auto scale = [](const BodyOutputs& o) {
      const Vector3& x = o.pose.position;
      return x.norm() * o.momentum.norm() + (o.angular_momentum - x.cross(o.momentum)).norm();
    };
    linear_start = p, angular_start = l, started = true;
    const double first = a.momentum.norm() + b.momentum.norm(), second = scale(a) + scale(b);
    if (first > 0.0) linear_scale = first;
    if (second > 0.0) angular_scale = second;
  }
};

/// Figures of each contact: from the wall's true force to the first tick at which the gate is open and nothing acts.
struct Metrics {
  enum Stage { idle, pressing, ringing, released };
  Vector3 normal = Vector3::UnitX();
  std::int64_t patience = 23, quiet = 0, tick = 0, begun = 0, ended = 0, filed = 0;
  Stage stage = idle;
  bool gate = false, seen = false, started = false, diverged = false;
  double side = 0, energy_start = 0;
  struct Row {
    double time = 0, before = 0, after = 0, cor = 0, peak = 0, energy = 0, stiffness = 0, damping = 0, pushes = 0,
           rise = 0, acting = 0;
  };
  Row row, last;
  std::array<Row, 1000> table;

  void follow(const Vector3& velocity, const Vector3& applied, const Vector3& wall, bool in_contact,
              const Vector2& identified, double energy) {
    if (!started) energy_start = energy, started = true;
    const bool touching = wall.norm() > 1e-9, closing = in_contact && !gate;
    const double force = touching ? along(wall) : 0.0, speed = velocity.dot(normal), side_before = side;
    const Stage before = stage;
    gate = in_contact;
    const bool begins = touching && (stage == idle || stage == ringing || stage == released || force * side < 0.0);
    if (begins) {
      side = (force != 0.0 ? force : speed) >= 0.0 ? 1.0 : -1.0;
      stage = pressing, quiet = 0, seen = false;
    }
    seen = seen || closing;
    if (!touching && stage != idle) let_go(applied.norm() > 0.0);
    if (before == pressing && (begins || stage != pressing)) ++ended;
    if (begins) {
      if (before == pressing) read(-side_before * speed, energy, identified);
      if (filed < begun) file();
      row = {};
      row.time = static_cast<double>(tick) * period, row.before = side * speed;
      ++begun;
    }
    if (stage != idle && filed < begun) go_on(speed, applied, wall, identified, energy);
    diverged = energy_start > 0.0 && energy > 1e12 * energy_start;
    ++tick;
  }
  double along(const Vector3& force) const {
    const double part = force.dot(normal);
    return std::abs(part) > 0.5 * force.norm() ? part : 0.0;
  }
  void let_go(bool pushed) {
    if (stage == pressing) stage = ringing, quiet = 0;
    quiet = stage == released || (!gate && !pushed) ? quiet + 1 : 0;
    if (stage == ringing && quiet >= (seen ? 1 : patience)) stage = released;
  }
  void go_on(double speed, const Vector3& applied, const Vector3& wall, const Vector2& identified, double energy) {
    row.acting += along(applied);
    if (stage == pressing) {
      const double force = wall.norm();
      if (force > row.peak)
        row.peak = force, row.rise = 1.0 + std::round((static_cast<double>(tick) * period - row.time) / period);
      row.pushes += force;
      return;
    }
    if (quiet <= 1) read(-side * speed, energy, identified);
    if (stage == released) file();
  }
  void read(double speed, double energy, const Vector2& identified) {
    row.after = speed;
    const double cor = speed / row.before, ratio = energy / energy_start;
    row.cor = std::isfinite(cor) ? cor : 0.0, row.energy = std::isfinite(ratio) ? ratio : 0.0;
    row.stiffness = identified[0], row.damping = identified[1];
  }
  void file() {
    last = row, filed = begun;
    if (filed <= 1000) table[static_cast<std::size_t>(filed - 1)] = row;
  }
};

} // namespace
} // namespace hand::HAND
