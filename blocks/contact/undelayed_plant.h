#pragma once

// Two free bodies, a tool on the first, walls that ride on the second: integrated in continuous time, without robot,
// sensor or delay.

#include "blocks/contact/contact_elements.h"
#include <Eigen/LU>
#include <array>
#include <cstdint>

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
  std::uint64_t touching() const {
    const Seen s = seen();
    std::uint64_t mask = 0;
    for (int i = 0; i < element_count; ++i)
      if (touch(element(i), s.pose, s.twist).pressed()) mask |= std::uint64_t{1} << i;
    return mask;
  }

  /// Classical Runge-Kutta over `h` s with the pressed elements held: the walls are evaluated at every stage, and the
  /// motion is smooth within the step.
  void advance(double h) {
    const BodyState a0 = tool_body, b0 = world_body;
    const std::array<double, 4> at{0.0, 0.5 * h, 0.5 * h, h};
    std::array<Rate, 4> ka, kb;
    for (std::size_t i = 0; i < 4; ++i) {
      const BodyState a = i == 0 ? a0 : moved(a0, ka[i - 1], at[i]), b = i == 0 ? b0 : moved(b0, kb[i - 1], at[i]);
      rates(a, b, ka[i], kb[i]);
    }
    tool_body = moved(a0, mean(ka), h);
    world_body = moved(b0, mean(kb), h);
  }

  const ContactElement& element(int i) const { return elements[static_cast<std::size_t>(i)]; }

private:
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
  static BodyState moved(const BodyState& from, const Rate& by, double h) {
    BodyState to;
    to.x = from.x + by.x * h, to.v = from.v + by.v * h, to.L = from.L + by.L * h;
    to.q = Quaternion(Rate4(from.q.coeffs() + by.q * h)).normalized();
    return to;
  }
  static Rate mean(const std::array<Rate, 4>& k) {
    const auto of = [&](auto member) {
      return ((k[0].*member + 2.0 * (k[1].*member) + 2.0 * (k[2].*member) + k[3].*member) / 6.0).eval();
    };
    return {of(&Rate::x), of(&Rate::v), of(&Rate::L), of(&Rate::q)};
  }
};

} // namespace hilda
