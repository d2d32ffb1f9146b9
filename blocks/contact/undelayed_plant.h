#pragma once

// Two free bodies, a tool on the first, walls that ride on the second: integrated in continuous time, without robot,
// sensor or delay.

#include "blocks/contact/contact_elements.h"
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

  /// Runge-Kutta of order 5 (Dormand and Prince 1980) over `h` s with the pressed elements held: the walls are
  /// evaluated at every stage, and the motion is smooth within the step.
  [[gnu::flatten]] void advance(double h) {
    using Coefficients = std::array<std::array<double, stages>, stages>;
    static constexpr Coefficients weights{
        {{1.0 / 5.0},
         {3.0 / 40.0, 9.0 / 40.0},
         {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
         {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
         {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
         {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}}};
    const BodyState a0 = tool_body, b0 = world_body;
    std::array<Rate, stages> ka, kb;
    for (std::size_t i = 0; i < stages; ++i) {
      rates(tool_body, world_body, ka[i], kb[i]);
      tool_body = moved(a0, ka, weights[i], i + 1, h);
      world_body = moved(b0, kb, weights[i], i + 1, h);
    }
  }

  /// How fast the motion changes while `mask` is pressed, 1/s: the highest natural frequency of the elements' springs,
  /// what dampers and friction do, and the spin. A step well below its inverse resolves the motion.
  double quickness(std::uint64_t mask) const {
    double springs = 0.0, dampers = 0.0;
    for (int i = 0; i < element_count; ++i) {
      if ((mask >> i & 1U) == 0) continue;
      const ContactElement& e = element(i);
      const double along = inverse_mass_along(e);
      springs += e.k * along;
      dampers += e.c * along;
      if (!(e.mu > 0.0)) continue;
      const Seen s = seen();
      dampers += e.mu * std::max(0.0, touch(e, s.pose, s.twist).force) * 1e3 * inverse_mass(e);
    }
    return std::max({std::sqrt(springs), dampers, spin(tool, tool_body), spin(world, world_body)});
  }
  double spin() const { return std::max(spin(tool, tool_body), spin(world, world_body)); }

  /// s for which nothing can be touched that is not touched now, whatever the spin; inf: it never will be.
  double free_time() const {
    const Seen s = seen();
    const double wa = spin(tool, tool_body), wb = spin(world, world_body);
    const double apart = (tool_body.v - world_body.v).norm();
    double shortest = INFINITY;
    for (int i = 0; i < element_count; ++i) {
      const ContactElement& e = element(i);
      if (!std::isfinite(e.d) || (e.k == 0.0 && e.c == 0.0)) continue;
      const double gap = std::abs(touch(e, s.pose, s.twist).penetration);
      if (e.rotation) {
        shortest = std::min(shortest, gap / (0.5 * std::numbers::pi * (wa + wb)));
        continue;
      }
      const Vector3 arm = tool.offset + e.r;
      const double speed = apart + wa * arm.norm(); // of the point in inertial axes, at most
      const double away = (tool_body.x + tool_body.q * arm - world_body.x).norm();
      const double closing = speed + wb * away;
      shortest = std::min(shortest, 2.0 * gap / (closing + std::sqrt(closing * closing + 2.0 * wb * speed * gap)));
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
  static constexpr std::size_t stages = 6;
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
  static BodyState moved(const BodyState& from, const std::array<Rate, stages>& k,
                         const std::array<double, stages>& weight, std::size_t count, double h) {
    BodyState to = from;
    Rate4 q = from.q.coeffs();
    for (std::size_t i = 0; i < count; ++i) {
      const double by = h * weight[i];
      to.x += by * k[i].x, to.v += by * k[i].v, to.L += by * k[i].L, q += by * k[i].q;
    }
    to.q = Quaternion(q).normalized();
    return to;
  }

  /// rad/s, at most, as long as no torque acts
  static double spin(const BodyModel& m, const BodyState& s) {
    return m.free ? m.w.norm() : m.inverse_inertia.norm() * s.L.norm();
  }

  /// 1/kg of both bodies where the element presses, along its normal, as they stand now.
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
