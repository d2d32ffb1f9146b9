// SPDX-License-Identifier: BSD-3-Clause
// The scenario without delay, against a second program for the same motion: forces in inertial axes, the classical
// Runge-Kutta method at an 850th of the block's own step, changes of contact by bisection.

#include "tests/diagrams/chance.h"
#include "tests/diagrams/diagram_run.h"

#include <Eigen/Dense>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Vector3 = Eigen::Vector3d;
using Quaternion = Eigen::Quaterniond;
using State = Eigen::Matrix<double, 26, 1>; ///< x v L q of the tool's body, then of the walls' one

struct Scenario {
  double stiffness, damping, speed, start;
  Vector3 normal, velocity, tool_offset, wall_offset, tool_spin, wall_spin;
  double friction = 0.0;

  static constexpr double tool_mass = 300.0, wall_mass = 4000.0, tool_inertia = 98.0, wall_inertia = 3684.0;
  static constexpr double gap = 0.03;

  /// 1/kg at the tip along any direction, at most.
  double lightness() const {
    return 1.0 / tool_mass + 1.0 / wall_mass + tool_offset.squaredNorm() / tool_inertia +
           (wall_offset.norm() + gap) * (wall_offset.norm() + gap) / wall_inertia;
  }
  /// rad/s, the quickest thing in a contact. Friction turns over within 1 mm/s; an 8th of what that makes is resolved
  /// well, and more steps would only add to the rounding of positions.
  double quickness() const {
    const double force = speed * (std::sqrt(stiffness / lightness()) + damping);
    return std::max({std::sqrt(stiffness * lightness()), damping * lightness(), tool_spin.norm(), wall_spin.norm(),
                     friction * force * 125.0 * lightness()});
  }
  std::string text() const {
    return fmt::format("k {} c {} mu {} v {} n {} {} {} spin {} {}", stiffness, damping, friction, speed, normal.x(),
                       normal.y(), normal.z(), tool_spin.norm(), wall_spin.norm());
  }
};

struct Contact {
  double before = 0, after = 0, peak = 0;
};

class Reference {
public:
  explicit Reference(const Scenario& scenario) : is_(scenario) {
    s_.setZero();
    s_.segment<3>(0) = -is_.tool_offset;
    s_.segment<3>(3) = is_.velocity - is_.tool_spin.cross(is_.tool_offset);
    s_.segment<3>(6) = is_.tool_inertia * is_.tool_spin;
    s_.segment<3>(13) = -is_.wall_offset;
    s_.segment<3>(19) = is_.wall_inertia * is_.wall_spin;
    s_[9] = s_[22] = 1.0;
  }

  Contact next() {
    const double flight = std::min(1e-3 * Scenario::gap / is_.speed, 5e-4 / (1e-9 + spin()));
    while (pressed_ == 0) step(flight);
    Contact contact{tip(s_, struck_).rate, 0, 0};
    double two_ago = 0, one_ago = 0;
    while (pressed_ != 0) {
      const double force = tip(s_, struck_).force;
      contact.peak = std::max(contact.peak, force);
      if (one_ago > two_ago && one_ago >= force && two_ago > 0) { // the vertex of the parabola through the three
        const double bend = two_ago - 2 * one_ago + force, slope = 0.5 * (force - two_ago);
        contact.peak = std::max(contact.peak, one_ago - 0.5 * slope * slope / bend);
      }
      two_ago = one_ago, one_ago = force;
      step(0.03 / 64.0 / is_.quickness());
    }
    contact.after = -tip(s_, struck_).rate;
    return contact;
  }

private:
  struct Tip {
    Vector3 normal, at, sliding;
    double depth, rate, force;
  };
  static Quaternion turn(const State& s, int from) {
    return Quaternion(s[from], s[from + 1], s[from + 2], s[from + 3]).normalized();
  }
  double spin() const { return std::max(is_.tool_spin.norm(), is_.wall_spin.norm()); }

  /// The rod's tip against one of the planes (side +1 or -1), in inertial axes.
  Tip tip(const State& s, int side) const {
    const Quaternion a = turn(s, 9), b = turn(s, 22);
    const Vector3 wa = s.segment<3>(6) / is_.tool_inertia, wb = s.segment<3>(19) / is_.wall_inertia;
    const Vector3 arm = a * is_.tool_offset, base = b * is_.wall_offset;
    Tip t;
    t.normal = side * (b * is_.normal);
    t.at = s.segment<3>(0) + arm;
    const Vector3 between = t.at - (s.segment<3>(13) + base);
    const Vector3 relative = s.segment<3>(3) + wa.cross(arm) - s.segment<3>(16) - wb.cross(base) - wb.cross(between);
    t.depth = t.normal.dot(between) + side * is_.start - 0.5 * Scenario::gap;
    t.rate = t.normal.dot(relative);
    t.sliding = relative - t.rate * t.normal;
    t.force = is_.stiffness * t.depth + is_.damping * t.rate;
    return t;
  }

  State rate(const State& s) const {
    State d;
    Vector3 force = Vector3::Zero(), at = s.segment<3>(0);
    if (pressed_ != 0) {
      const Tip t = tip(s, pressed_);
      force = -t.force * t.normal, at = t.at;
      if (const double speed = t.sliding.norm(); speed > 0)
        force -= is_.friction * t.force * std::tanh(speed / 1e-3) / speed * t.sliding;
    }
    const auto body = [&](int i, double mass, double inertia, const Vector3& f) {
      d.segment<3>(i) = s.segment<3>(i + 3);
      d.segment<3>(i + 3) = f / mass;
      d.segment<3>(i + 6) = (at - s.segment<3>(i)).cross(f);
      const Vector3 w = s.segment<3>(i + 6) / inertia; // inertial axes, so from the left
      const Quaternion q = Quaternion(0.0, w.x(), w.y(), w.z()) * turn(s, i + 9);
      d.segment<4>(i + 9) << 0.5 * q.w(), 0.5 * q.x(), 0.5 * q.y(), 0.5 * q.z();
    };
    body(0, is_.tool_mass, is_.tool_inertia, force);
    body(13, is_.wall_mass, is_.wall_inertia, -force);
    return d;
  }

  State moved(double h) const {
    const State a = rate(s_), b = rate(s_ + 0.5 * h * a), c = rate(s_ + 0.5 * h * b), d = rate(s_ + h * c);
    State to = s_ + h / 6.0 * (a + 2 * b + 2 * c + d);
    to.segment<4>(9).normalize(), to.segment<4>(22).normalize();
    return to;
  }

  int touched(const State& s) const {
    for (const int side : {1, -1})
      if (const Tip t = tip(s, side); t.depth > 0 && t.force > 0) return side;
    return 0;
  }

  void step(double h) {
    State to = moved(h);
    int now = touched(to);
    if (now != pressed_) {
      double low = 0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (touched(moved(middle)) == pressed_ ? low : high) = middle;
      }
      to = moved(high), now = touched(to);
      if (now != 0) struck_ = now;
    }
    s_ = to, pressed_ = now;
  }

  Scenario is_;
  State s_;
  int pressed_ = 0, struck_ = 0;
};

std::string vector(const Vector3& v) { return fmt::format("\"{} {} {}\"", v.x(), v.y(), v.z()); }

/// The two planes as the ideal run receives them.
std::string planes(const Scenario& s) {
  std::string rows;
  for (const int side : {1, -1}) {
    const Vector3 n = side * s.normal;
    rows += fmt::format("{}0 0 0 0 {} {} {} {} {} {} {}", side == 1 ? "" : "; ", n.x(), n.y(), n.z(),
                        0.5 * Scenario::gap - side * s.start, s.stiffness, s.damping, s.friction);
  }
  return rows;
}

Contact of_block(const Scenario& s, int contact, const std::string& period) {
  const std::string diagram = fmt::format(
      R"(<diagram format="1" name="alone" period="{}"><block name="walls" type="sources/Constant" value="{}"/>
<block name="ideal" type="contact/IdealRun" service_mass="{}" target_mass="{}" service_inertia="{}" target_inertia="{}"
 service_offset={} target_offset={} velocity={} angular_velocity={} target_angular_velocity={}/>
<block name="wanted" type="sources/Constant" value="{}"/><block name="whole" type="math/RealToInteger"/>
<connect from="walls.y" to="ideal.walls"/><connect from="wanted.y" to="whole.u"/>
<connect from="whole.y" to="ideal.wanted"/></diagram>)",
      period, planes(s), s.tool_mass, s.wall_mass, s.tool_inertia, s.wall_inertia, vector(s.tool_offset),
      vector(s.wall_offset), vector(s.velocity), vector(s.tool_spin), vector(s.wall_spin), contact);
  const DiagramRun r =
      run_diagram({diagram, {}, {"ideal.contact", "ideal.speed_before", "ideal.speed_after", "ideal.peak_force"}, 0.2});
  EXPECT_EQ(r.errors, "");
  const auto last = static_cast<std::size_t>(r.steps) - 1;
  EXPECT_EQ(r.at("ideal.contact", last), contact) << s.text();
  return {r.at("ideal.speed_before", last), r.at("ideal.speed_after", last), r.at("ideal.peak_force", last)};
}

/// Stiffness 1e2 to 1e9 N/m, no, weak, strong and supercritical damping, 1 mm/s to 5 m/s, oblique, off-centre,
/// spinning.
Scenario drawn(unsigned seed, double friction = 0.0) {
  Chance draw(seed);
  Scenario s;
  s.friction = friction;
  s.stiffness = std::pow(10.0, 2.0 + 7.0 * (seed % 15) / 14.0);
  s.speed = std::pow(10.0, draw.between(-3.0, 0.7));
  s.start = draw.between(-0.01, 0.01);
  const bool straight = seed % 4 == 0;
  s.velocity = s.speed * Vector3::UnitX();
  s.normal = straight ? Vector3::UnitX() : Vector3(Vector3::UnitX() + 0.7 * draw.direction()).normalized();
  s.tool_offset = straight ? Vector3::Zero() : Vector3(draw.vector(0.0, 0.5));
  s.wall_offset = straight ? Vector3::Zero() : Vector3(draw.vector(0.0, 0.8));
  s.tool_spin = s.wall_spin = Vector3::Zero();
  constexpr double ratios[] = {0.0, 0.02, 0.0, 0.3, 1.5};
  s.damping = 2.0 * ratios[seed % 5] * std::sqrt(s.stiffness / s.lightness());
  const double spin = std::min(0.3 * s.speed / Scenario::gap, 0.3 * std::sqrt(s.stiffness * s.lightness()));
  if (seed % 4 == 3) {
    s.tool_spin = spin * draw.vector(0.1, 1.0);
    s.wall_spin = spin * draw.vector(0.0, 0.3);
    s.velocity += s.tool_spin.cross(s.tool_offset);
  }
  return s;
}

/// The largest error of a contact among those of a scenario, against what it is measured by, and how many they are.
std::pair<double, int> worst_error(const Scenario& s, const std::string& period) {
  Reference reference(s);
  double worst = 0;
  int contacts = 0;
  for (int contact = 1; contact <= 2; ++contact) {
    const Contact wanted = reference.next();
    if (wanted.after < 1e-3 * s.speed) break; // almost along the wall, or stopped there: no digits are left
    const Contact got = of_block(s, contact, period);
    ++contacts;
    for (const double off : {(got.before - wanted.before) / wanted.before, (got.after - wanted.after) / wanted.before,
                             (got.peak - wanted.peak) / wanted.peak}) {
      worst = std::max(worst, std::abs(off));
      EXPECT_LT(std::abs(off), 1e-9) << "contact " << contact << ": " << s.text();
    }
  }
  return {worst, contacts};
}

TEST(IdealRunReference, AgreesAtEveryStiffnessDampingSpeedAngleAndSpin) {
  double worst = 0;
  int contacts = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto [error, count] = worst_error(drawn(seed), seed % 2 == 0 ? "1 ms" : "4 ms");
    worst = std::max(worst, error), contacts += count;
  }
  EXPECT_GT(contacts, 100);
  RecordProperty("worst", fmt::format("{:.2g}", worst));
}

TEST(IdealRunReference, AgreesWithFriction) {
  double worst = 0;
  int contacts = 0;
  for (unsigned seed = 1; seed < 40; seed += 2) {
    const auto [error, count] = worst_error(drawn(seed, seed % 3 == 0 ? 0.3 : 0.05), "1 ms");
    worst = std::max(worst, error), contacts += count;
  }
  EXPECT_GT(contacts, 25);
  RecordProperty("worst", fmt::format("{:.2g}", worst));
}

} // namespace
} // namespace hilda::test
