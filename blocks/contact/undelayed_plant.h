// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two free bodies, a tool on the first, walls that ride on the second: integrated in continuous time, without robot,
// sensor or delay.

#include "blocks/contact/contact_elements.h"
#include "blocks/contact/dormand_prince_8.h"
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace hilda {

/// State of a free body; the rotational one is the inertial angular momentum about the centre of mass.
struct BodyState {
  Vector3 x = Vector3::Zero(), v = Vector3::Zero(), L = Vector3::Zero();
  Quaternion q = Quaternion::Identity();
};

/// What a body is made of. An infinite mass keeps moving as it began, with angular velocity `w` (body axes).
struct BodyModel {
  bool free = false; ///< of all influence: infinite mass
  double inverse_mass = 0.0;
  Matrix3 inverse_inertia = Matrix3::Zero();
  Vector3 w = Vector3::Zero();
  Vector3 offset = Vector3::Zero(); ///< assembly frame from the centre of mass, body axes

  Vector3 angular(const BodyState& s) const {
    return free ? w : Vector3(inverse_inertia * Vector3(s.q.conjugate() * s.L));
  }
};

class UndelayedPlant {
public:
  static constexpr int most_elements = 64;

  BodyModel tool, world; ///< the bodies that carry the tool and the walls
  BodyState tool_body, world_body;
  std::array<ContactElement, most_elements> elements;
  int element_count = 0;
  std::uint64_t pressed = 0; ///< bit i: element i is touched

  struct Seen {
    Pose pose;
    Twist twist;
  };
  /// The tool in W, the walls' frame.
  Seen seen() const { return seen(tool_body, world_body); }

  /// The elements that press at this state; those that are pressed stay so while spring and damper push.
  std::uint64_t touching(const Seen& s) const {
    std::uint64_t mask = 0;
    for (int i = 0; i < element_count; ++i)
      if (touch(element(i), s.pose, s.twist).pressed()) mask |= std::uint64_t{1} << i;
    return mask;
  }

  /// Runge-Kutta of order 8 over `h` s with the pressed elements held: the walls are evaluated at every stage, and the
  /// motion is smooth within the step.
  [[gnu::flatten]] void advance(double h) {
    const BodyState a0 = tool_body, b0 = world_body;
    std::array<Rate, dormand_prince_8::stages> ka, kb;
    for (std::size_t i = 0; i < dormand_prince_8::stages; ++i) {
      rates(tool_body, world_body, ka[i], kb[i]);
      tool_body = moved(a0, ka, dormand_prince_8::weights[i], i + 1, h);
      world_body = moved(b0, kb, dormand_prince_8::weights[i], i + 1, h);
    }
  }

  /// The tool in W after `h` s that are so short that the motion is straight.
  Seen soon(double h) const {
    static constexpr Weights whole{1.0};
    std::array<Rate, dormand_prince_8::stages> ka, kb;
    rates(tool_body, world_body, ka[0], kb[0]);
    return seen(moved(tool_body, ka, whole, 1, h), moved(world_body, kb, whole, 1, h));
  }

  /// How fast the motion changes while `mask` is pressed, 1/s: the highest natural frequency of the elements' springs,
  /// what dampers and friction do, and how fast the bodies turn or will be turned. A step well below its inverse
  /// resolves the motion.
  double quickness(std::uint64_t mask) const {
    double springs = 0.0, dampers = 0.0, turning = spin();
    const Seen s = seen();
    for (int i = 0; i < element_count; ++i) {
      if ((mask >> i & 1U) == 0) continue;
      const ContactElement& e = element(i);
      const double along = inverse_mass_along(e);
      springs += e.k * along;
      dampers += e.c * along;
      const Touch t = touch(e, s.pose, s.twist);
      if (!e.rotation && along > 0.0) turning = std::max(turning, spin() + turned(e, along, std::abs(t.rate)));
      if (!(e.mu > 0.0)) continue;
      const double force = std::max(0.0, t.force) + std::abs(t.rate) * std::sqrt(e.k / along); // as it may become
      dampers += 1.5 * e.mu * force * 1e3 * inverse_mass(e); // a tanh bends more than the spring's sine
    }
    return std::max(std::sqrt(springs + 4 * turning * turning), dampers); // a turn takes part in products
  }
  double spin() const { return std::max(spin(tool, tool_body), spin(world, world_body)); }

  /// s, of `longest` at most where a body spins, for which nothing can be touched that is not touched now; inf: it
  /// never will be. A point's distance from a plane is what its rate makes of it, and half the square of the time by
  /// the largest acceleration that free bodies with such spins can have.
  double free_time(double longest) const {
    const Seen s = seen();
    const double wa = spin(tool, tool_body), wb = spin(world, world_body);
    const double apart = (tool_body.v - world_body.v).norm();
    double shortest = INFINITY;
    for (int i = 0; i < element_count; ++i) {
      const ContactElement& e = element(i);
      if (!std::isfinite(e.d) || (e.k == 0.0 && e.c == 0.0)) continue;
      const Touch t = touch(e, s.pose, s.twist);
      const double gap = std::abs(t.penetration);
      if (e.rotation) {
        shortest = std::min(shortest, gap / (0.5 * std::numbers::pi * (wa + wb)));
        continue;
      }
      const Vector3 arm = tool.offset + e.r;
      const double speed = apart + wa * arm.norm(); // of the point in inertial axes, at most
      double bend = 2.0 * wa * wa * arm.norm();     // m/s2; an angular velocity changes by its square a second, at most
      if (wb > 0.0) {
        const double away = (tool_body.x + tool_body.q * arm - world_body.x).norm() + speed * longest;
        bend += 2.0 * wb * (speed + wb * away);
      }
      shortest = std::min(shortest, until_there(gap, t.penetration > 0.0 ? -t.rate : t.rate, bend));
    }
    return shortest;
  }

  bool finite() const {
    const auto ok = [](const BodyState& b) {
      return b.x.allFinite() && b.v.allFinite() && b.L.allFinite() && b.q.coeffs().allFinite();
    };
    return ok(tool_body) && ok(world_body);
  }

  const ContactElement& element(int i) const { return elements[static_cast<std::size_t>(i)]; }

private:
  using Weights = std::array<double, dormand_prince_8::stages>;
  using Rate4 = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;
  struct Rate {
    Vector3 x, v, L;
    Rate4 q;
  };

  Seen seen(const BodyState& a, const BodyState& b) const {
    const Vector3 wa = tool.angular(a), wb = world.angular(b);
    const PointState pa = point_on({a.x, a.q}, Twist(a.v, wa), tool.offset);
    const PointState pb = point_on({b.x, b.q}, Twist(b.v, wb), world.offset);
    const Vector3 between = pa.position - pb.position, turning = b.q * wb;
    const Quaternion to_world = b.q.conjugate();
    Seen s;
    s.pose.position = to_world * between;
    s.pose.orientation = to_world * a.q;
    s.twist = Twist(to_world * Vector3(pa.velocity - pb.velocity - turning.cross(between)),
                    a.q.conjugate() * Vector3(a.q * wa - turning));
    return s;
  }

  void rates(const BodyState& a, const BodyState& b, Rate& ra, Rate& rb) const {
    Wrench on_tool;
    if (pressed != 0) {
      const Seen s = seen(a, b);
      for (int i = 0; i < element_count; ++i)
        if ((pressed >> i & 1U) != 0)
          on_tool += wrench_of(element(i), touch(element(i), s.pose, s.twist).force, s.pose, s.twist);
    }
    const Vector3 force = b.q * Vector3(on_tool.force()), arm = a.q * tool.offset;
    const Vector3 about_tool = a.q * Vector3(on_tool.torque());
    ra = rate(tool, a, force, about_tool + arm.cross(force));
    rb = rate(world, b, -force, -(about_tool + (a.x + arm - b.x).cross(force)));
  }

  static Rate rate(const BodyModel& m, const BodyState& s, const Vector3& force, const Vector3& torque) {
    const Vector3 w = m.angular(s);
    Rate r;
    r.x = s.v;
    r.v = force * m.inverse_mass;
    r.L = m.free ? Vector3(Vector3::Zero()) : torque;
    r.q = 0.5 * (s.q * Quaternion(0.0, w.x(), w.y(), w.z())).coeffs();
    return r;
  }
  static BodyState moved(const BodyState& from, const std::array<Rate, dormand_prince_8::stages>& k,
                         const Weights& weight, std::size_t count, double h) {
    BodyState to = from;
    Rate4 q = from.q.coeffs();
    for (std::size_t i = 0; i < count; ++i) {
      if (weight[i] == 0.0) continue;
      const double by = h * weight[i];
      to.x += by * k[i].x, to.v += by * k[i].v, to.L += by * k[i].L, q += by * k[i].q;
    }
    to.q = Quaternion(q).normalized();
    return to;
  }

  /// s until `gap` is passed that closes at `speed`, which may grow by `bend` a second; inf: never
  static double until_there(double gap, double speed, double bend) {
    if (bend == 0.0 && !(speed > 0.0)) return INFINITY;
    const double last = std::sqrt(speed * speed + 2.0 * bend * gap);
    return speed > 0.0 ? 2.0 * gap / (speed + last) : (last - speed) / bend;
  }

  /// rad/s, at most, as long as no torque acts
  static double spin(const BodyModel& m, const BodyState& s) {
    return m.free ? m.w.norm() : m.inverse_inertia.norm() * s.L.norm();
  }

  /// 1/kg of both bodies where the element presses, along its normal, as they are now.
  double inverse_mass_along(const ContactElement& e) const {
    if (e.rotation) return inverse_mass(e);
    const auto turning = [](const BodyModel& m, const BodyState& s, const Vector3& lever) {
      const Vector3 own = s.q.conjugate() * lever;
      return own.dot(Vector3(m.inverse_inertia * own));
    };
    const Vector3 n = world_body.q * e.n, arm = tool_body.q * Vector3(tool.offset + e.r);
    return tool.inverse_mass + world.inverse_mass + turning(tool, tool_body, arm.cross(n)) +
           turning(world, world_body, Vector3(tool_body.x + arm - world_body.x).cross(n));
  }
  /// rad/s that either body has got, at most, when the element has stopped its point, which comes at `speed`.
  double turned(const ContactElement& e, double along, double speed) const {
    const auto by = [](const BodyModel& m, const BodyState& s, const Vector3& lever) {
      return Vector3(m.inverse_inertia * Vector3(s.q.conjugate() * lever)).norm();
    };
    const Vector3 n = world_body.q * e.n, arm = tool_body.q * Vector3(tool.offset + e.r);
    return speed / along *
           std::max(by(tool, tool_body, arm.cross(n)),
                    by(world, world_body, Vector3(tool_body.x + arm - world_body.x).cross(n)));
  }
  /// 1/kg of both bodies where the element presses: at most, whatever the attitude and direction.
  double inverse_mass(const ContactElement& e) const {
    const double turn_a = tool.inverse_inertia.norm(), turn_b = world.inverse_inertia.norm();
    if (e.rotation) return turn_a + turn_b;
    const Vector3 arm = tool.offset + e.r;
    const double away = (tool_body.x + tool_body.q * arm - world_body.x).squaredNorm();
    return tool.inverse_mass + world.inverse_mass + turn_a * arm.squaredNorm() + turn_b * away;
  }
};

} // namespace hilda
