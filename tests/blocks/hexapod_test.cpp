// SPDX-License-Identifier: BSD-3-Clause
// A Stewart platform: inverse and forward kinematics against distances of points, finite differences and statics that
// are written again here, without the SDK's rotations.

#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <hilda/testing.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace hilda::test {
namespace {

namespace kit = hilda::testing;
using ::testing::HasSubstr;
using Point = std::array<double, 3>;
using Axes = std::array<Point, 3>; ///< rows
using Six = std::array<double, 6>;

const kit::Plugin& plugin(const std::string& name) {
  static std::map<std::string, kit::Plugin> plugins;
  return plugins.try_emplace(name, build_folder() + "/lib/hilda/plugins/" + name + ".so").first->second;
}

Axes axes(double w, double x, double y, double z) {
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}
Point turned(const Axes& R, const Point& p) {
  Point q{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) q[i] += R[i][j] * p[j];
  return q;
}
Axes transposed(const Axes& R) {
  Axes T{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) T[i][j] = R[j][i];
  return T;
}
Point sum(const Point& a, const Point& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double size(const Point& p) { return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); }

struct Placed {
  Point p{};
  std::array<double, 4> q{1, 0, 0, 0};
  Axes R() const { return axes(q[0], q[1], q[2], q[3]); }
  kit::Value value() const { return std::vector<double>{p[0], p[1], p[2], q[0], q[1], q[2], q[3]}; }
};

std::array<double, 4> product(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
std::array<double, 4> turn(const Point& by) {
  const double a = size(by), s = a > 0 ? std::sin(a / 2) / a : 0.5;
  return {std::cos(a / 2), s * by[0], s * by[1], s * by[2]};
}

/// The platform of diagrams/rigs/hexapod.xml in displaced frames: base and tool are displaced and turned.
struct Platform {
  std::array<Point, 6> base{}, platform{};
  Placed base_in_world{{0.3, -0.2, 0.1}, turn({0.3, 0.7, -0.4})},
      tool_in_platform{{0.05, -0.1, 0.3}, turn({-0.2, 0.5, 0.9})};

  Platform() {
    const double of_base[] = {10, 110, 130, 230, 250, 350}, of_platform[] = {50, 70, 170, 190, 290, 310};
    for (std::size_t i = 0; i < 6; ++i) {
      base[i] = {std::cos(of_base[i] * M_PI / 180), std::sin(of_base[i] * M_PI / 180), 0};
      platform[i] = {0.5 * std::cos(of_platform[i] * M_PI / 180), 0.5 * std::sin(of_platform[i] * M_PI / 180), 0.02};
    }
  }

  /// Tool in W where the platform is at `p`, turned by `by`, in the base frame.
  Placed tool(const Point& p, const Point& by) const {
    const std::array<double, 4> q = turn(by);
    Placed platform_in_world{sum(base_in_world.p, turned(base_in_world.R(), p)), product(base_in_world.q, q)};
    return {sum(platform_in_world.p, turned(platform_in_world.R(), tool_in_platform.p)),
            product(platform_in_world.q, tool_in_platform.q)};
  }
  /// From the joint of the base to that of the platform, W axes; and that joint from the tool's origin, W axes.
  std::pair<Point, Point> leg(const Placed& tool, std::size_t i) const {
    const Axes of_platform = [&] {
      Axes R{};
      const Axes T = tool.R(), P = transposed(tool_in_platform.R());
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t k = 0; k < 3; ++k) R[r][c] += T[r][k] * P[k][c];
      return R;
    }();
    const Point arm = turned(of_platform, sum(platform[i], tool_in_platform.p, -1));
    const Point joint = sum(base_in_world.p, turned(base_in_world.R(), base[i]));
    return {sum(sum(tool.p, arm), joint, -1), arm};
  }
  Six lengths(const Placed& tool) const {
    Six l{};
    for (std::size_t i = 0; i < 6; ++i) l[i] = size(leg(tool, i).first);
    return l;
  }

  kit::Setup setup(double period = 1e-3) const {
    kit::Setup s;
    std::vector<double> of_base(18), of_platform(18); // column by column
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 3; ++j) of_base[6 * j + i] = base[i][j], of_platform[6 * j + i] = platform[i][j];
    const auto numbers = [](const auto& list) { return std::vector<double>(list.begin(), list.end()); };
    s.parameters = {
        {"base_joints", kit::Value{{6, 3}, of_base}},   {"platform_joints", kit::Value{{6, 3}, of_platform}},
        {"base_position", numbers(base_in_world.p)},    {"base_rotation", numbers(base_in_world.q)},
        {"tool_position", numbers(tool_in_platform.p)}, {"tool_rotation", numbers(tool_in_platform.q)}};
    s.period = period;
    return s;
  }
};

kit::Value value(const Six& six) { return std::vector<double>(six.begin(), six.end()); }
Six six(const kit::Value& v) {
  Six s{};
  std::copy_n(v.numbers.begin(), 6, s.begin());
  return s;
}

struct Draw {
  std::mt19937 random{39};
  double operator()(double most) { return std::uniform_real_distribution<double>(-most, most)(random); }
  Point point(double most) { return {(*this)(most), (*this)(most), (*this)(most)}; }
};

constexpr double height = 1.4;

/// A motion over which finite differences are taken: v in W, w in tool axes.
Placed moved(const Placed& at, const Six& by, double time) {
  return {sum(at.p, {by[0], by[1], by[2]}, time), product(at.q, turn({by[3] * time, by[4] * time, by[5] * time}))};
}

TEST(HexapodInverse, GivesTheDistancesOfTheJointsAndTheirDifferences) {
  const Platform platform;
  kit::Bench inverse(plugin("kinematics").type("HexapodInverse"), platform.setup());
  Draw draw;
  for (int k = 0; k < 300; ++k) {
    const Point where = sum({0, 0, height}, draw.point(0.25));
    const Placed tool = platform.tool(where, draw.point(0.5));
    Six motion{};
    for (double& x : motion) x = draw(1);
    inverse.set("pose", tool.value());
    inverse.set("twist", value(motion));
    inverse.step();
    const Six exact = platform.lengths(tool);
    const double h = 1e-5;
    const Six after = platform.lengths(moved(tool, motion, h)), before = platform.lengths(moved(tool, motion, -h));
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(inverse.number("lengths", i), exact[i], 1e-14) << k;
      EXPECT_NEAR(inverse.number("rates", i), (after[i] - before[i]) / (2 * h), 1e-9) << k;
    }
    EXPECT_EQ(inverse.number("limited"), 0);
  }
}

/// From pose to lengths and back, from wherever the platform was: a step of 0.3 m and 0.5 rad at most.
TEST(HexapodForward, IsTheInverseTurnedRound) {
  const Platform platform;
  kit::Setup setup = platform.setup();
  const Placed home = platform.tool({0, 0, height}, {0, 0, 0});
  setup.parameters["position"] = std::vector<double>(home.p.begin(), home.p.end());
  setup.parameters["orientation"] = std::vector<double>(home.q.begin(), home.q.end());
  kit::Bench forward(plugin("kinematics").type("HexapodForward"), setup);
  Draw draw;
  for (int k = 0; k < 1000; ++k) {
    const Placed tool = platform.tool(sum({0, 0, height}, draw.point(0.15)), draw.point(0.25));
    Six motion{}, rates{};
    for (double& x : motion) x = draw(1);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [along, arm] = platform.leg(tool, i);
      const Point spin = turned(tool.R(), {motion[3], motion[4], motion[5]});
      const Point v = sum({motion[0], motion[1], motion[2]}, cross(spin, arm));
      rates[i] = (along[0] * v[0] + along[1] * v[1] + along[2] * v[2]) / size(along);
    }
    forward.set("lengths", value(platform.lengths(tool)));
    forward.set("rates", value(rates));
    forward.step();
    ASSERT_EQ(forward.verdict(), HILDA_GO) << k;
    const std::vector<double> found = forward.get("pose").numbers, wanted = tool.value().numbers;
    double same = 0;
    for (std::size_t i = 3; i < 7; ++i) same += found[i] * wanted[i];
    for (std::size_t i = 0; i < 7; ++i)
      EXPECT_NEAR(i < 3 ? found[i] : found[i] * (same < 0 ? -1 : 1), wanted[i], 1e-12) << k << " " << i;
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(forward.number("twist", i), motion[i], 1e-12) << k;
    EXPECT_LE(forward.number("steps"), 8);
  }
}

TEST(HexapodForces, HoldTheWrenchAndDoItsWork) {
  const Platform platform;
  kit::Setup setup = platform.setup();
  const Placed home = platform.tool({0, 0, height}, {0, 0, 0});
  setup.parameters["position"] = std::vector<double>(home.p.begin(), home.p.end());
  setup.parameters["orientation"] = std::vector<double>(home.q.begin(), home.q.end());
  kit::Bench forward(plugin("kinematics").type("HexapodForward"), setup);
  kit::Bench loads(plugin("kinematics").type("HexapodForces"), platform.setup());
  Draw draw;
  for (int k = 0; k < 200; ++k) {
    const Placed tool = platform.tool(sum({0, 0, height}, draw.point(0.15)), draw.point(0.25));
    Six wrench{}, rates{};
    for (double& x : wrench) x = draw(500);
    for (double& x : rates) x = draw(0.5);
    forward.set("lengths", value(platform.lengths(tool)));
    forward.set("rates", value(rates));
    forward.step();
    loads.set("pose", tool.value());
    loads.set("wrench", value(wrench));
    loads.step();
    const Six legs = six(loads.get("forces")), twist = six(forward.get("twist"));
    Point force{}, torque{};
    double by_legs = 0, by_wrench = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [along, arm] = platform.leg(tool, i);
      const Point push = {along[0] * legs[i] / size(along), along[1] * legs[i] / size(along),
                          along[2] * legs[i] / size(along)};
      force = sum(force, push), torque = sum(torque, cross(arm, push));
      by_legs += legs[i] * rates[i], by_wrench += wrench[i] * twist[i];
    }
    const Point in_tool = turned(transposed(tool.R()), torque);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(force[i], -wrench[i], 1e-9) << k;
      EXPECT_NEAR(in_tool[i], -wrench[3 + i], 1e-9) << k;
    }
    EXPECT_NEAR(by_legs, -by_wrench, 1e-9) << k;
  }
}

/// Turned about its axis at one height, the platform is singular at a quarter turn: there
/// the determinant is cos(yaw) by the product of the lengths (Mayer St-Onge and Gosselin 2000).
TEST(HexapodForward, EndsTheRunNearASingularPose) {
  Platform platform;
  platform.base_in_world = {}, platform.tool_in_platform = {};
  for (Point& p : platform.platform) p[2] = 0;
  kit::Setup setup = platform.setup();
  setup.parameters["position"] = std::vector<double>{0, 0, height};
  kit::Bench forward(plugin("kinematics").type("HexapodForward"), setup);
  const Six home = platform.lengths(platform.tool({0, 0, height}, {0, 0, 0}));
  double exact = 1;
  int degree = 0;
  for (; degree <= 90; ++degree) {
    const Six legs = platform.lengths(platform.tool({0, 0, height}, {0, 0, degree * M_PI / 180}));
    exact = std::cos(degree * M_PI / 180);
    for (std::size_t i = 0; i < 6; ++i) exact *= home[i] / legs[i];
    forward.set("lengths", value(legs));
    forward.step();
    if (forward.verdict() != HILDA_GO) break;
    EXPECT_NEAR(forward.number("dexterity"), exact, 1e-9) << degree;
  }
  EXPECT_LT(exact, 0.05);
  EXPECT_GT(exact, 0.03) << "one degree earlier it was above";
  EXPECT_THAT(forward.verdict_text(), HasSubstr("near a singular pose"));
}

TEST(HexapodForward, SaysWhereNoPoseHasTheseLengths) {
  const Platform platform;
  const Placed home = platform.tool({0, 0, height}, {0, 0, 0});
  const auto ending = [&](const Six& legs, double iterations) {
    kit::Setup setup = platform.setup();
    setup.parameters["position"] = std::vector<double>(home.p.begin(), home.p.end());
    setup.parameters["orientation"] = std::vector<double>(home.q.begin(), home.q.end());
    setup.parameters["iterations"] = iterations;
    kit::Bench forward(plugin("kinematics").type("HexapodForward"), setup);
    forward.set("lengths", value(legs));
    forward.step();
    return forward.verdict() == HILDA_GO ? "" : forward.verdict_text();
  };
  const Six legs = platform.lengths(home);
  EXPECT_EQ(ending(legs, 20), "");
  Six apart = legs;
  apart[1] = 2 * legs[1]; // next to the third, whose joint on the base is 0.35 m away
  EXPECT_THAT(ending(apart, 20), HasSubstr("no pose of the platform has these lengths"));
  EXPECT_EQ(ending(platform.lengths(platform.tool({0.1, 0, height}, {0, 0, 0.2})), 20), "");
  EXPECT_THAT(ending(platform.lengths(platform.tool({0.1, 0, height}, {0, 0, 0.2})), 2), HasSubstr("'iterations'"));
}

TEST(HexapodForward, RefusesHexagonsThatAreSimilar) {
  Platform platform;
  platform.base_in_world = {}, platform.tool_in_platform = {};
  for (std::size_t i = 0; i < 6; ++i) platform.platform[i] = {0.5 * platform.base[i][0], 0.5 * platform.base[i][1], 0};
  kit::Setup setup = platform.setup();
  setup.parameters["position"] = std::vector<double>{0, 0, height};
  try {
    kit::Bench forward(plugin("kinematics").type("HexapodForward"), setup);
    FAIL() << "it was taken";
  } catch (const kit::Refused& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("do not hold the platform at the start"));
  }
}

/// At rest at home, then what `after` says: the end of the run, and the last lengths.
struct Limited {
  std::string text;
  Six lengths{}, rates{};
  bool limited = false;
};
Limited limited(const std::string& limit, double value_of_it, const std::string& at_limit, const Placed& after,
                int ticks = 1, double speed = 0) {
  const Platform platform;
  kit::Setup setup = platform.setup(2e-3);
  setup.parameters[limit] = value_of_it;
  setup.parameters["at_limit"] = at_limit;
  kit::Bench inverse(plugin("kinematics").type("HexapodInverse"), setup);
  inverse.set("pose", platform.tool({0, 0, height}, {0, 0, 0}).value());
  inverse.step();
  inverse.set("pose", after.value());
  inverse.set("twist", value(Six{0, 0, speed, 0, 0, 0}));
  for (int k = 0; k < ticks && inverse.verdict() == HILDA_GO; ++k) inverse.step();
  return {inverse.verdict() == HILDA_GO ? "" : inverse.verdict_text(), six(inverse.get("lengths")),
          six(inverse.get("rates")), inverse.number("limited") != 0};
}

TEST(HexapodInverse, EndsTheRunAtALimitAndNamesTheLeg) {
  const Platform platform;
  const Placed home = platform.tool({0, 0, height}, {0, 0, 0}), aside = platform.tool({0.3, 0, height}, {0, 0, 0});
  const Six at_home = platform.lengths(home), legs = platform.lengths(aside);
  const auto longest = static_cast<std::size_t>(std::max_element(legs.begin(), legs.end()) - legs.begin());
  const auto shortest = static_cast<std::size_t>(std::min_element(legs.begin(), legs.end()) - legs.begin());
  EXPECT_EQ(limited("longest", legs[longest] + 1e-9, "fail", aside).text, "");
  EXPECT_THAT(limited("longest", legs[longest] - 1e-9, "fail", aside).text,
              HasSubstr("leg " + std::to_string(longest + 1) + " would be longer than 'longest'"));
  EXPECT_EQ(limited("shortest", legs[shortest] - 1e-9, "fail", aside).text, "");
  EXPECT_THAT(limited("shortest", legs[shortest] + 1e-9, "fail", aside).text,
              HasSubstr("leg " + std::to_string(shortest + 1) + " would be shorter than 'shortest'"));
  double fastest = 0;
  for (std::size_t i = 0; i < 6; ++i) fastest = std::max(fastest, std::abs(legs[i] - at_home[i]) / 2e-3);
  EXPECT_EQ(limited("fastest", fastest + 1e-6, "fail", aside).text, "");
  EXPECT_THAT(limited("fastest", fastest - 1e-6, "fail", aside).text, HasSubstr("would be faster than 'fastest'"))
      << "a pose that jumps";
  EXPECT_EQ(limited("fastest", 1, "fail", home, 1, 0.99).text, "");
  EXPECT_THAT(limited("fastest", 1, "fail", home, 1, 3).text, HasSubstr("would be faster")) << "a twist";
}

TEST(HexapodInverse, KeepsTheLegsWithinTheirLimitsWhereItIsTold) {
  const Platform platform;
  const Placed aside = platform.tool({0.3, 0, height}, {0, 0, 0});
  const Six home = platform.lengths(platform.tool({0, 0, height}, {0, 0, 0})), legs = platform.lengths(aside);
  const Limited stroke = limited("longest", 1.7, "saturate", aside);
  EXPECT_EQ(stroke.text, "");
  EXPECT_TRUE(stroke.limited);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(stroke.lengths[i], std::min(1.7, legs[i]), 1e-14) << i;
  EXPECT_FALSE(limited("longest", 2.5, "saturate", aside).limited);
  const Limited fast = limited("fastest", 0.5, "saturate", aside, 10);
  EXPECT_TRUE(fast.limited);
  for (std::size_t i = 0; i < 6; ++i) {
    const double way = legs[i] - home[i], reach = 10 * 2e-3 * 0.5;
    EXPECT_NEAR(fast.lengths[i], home[i] + std::clamp(way, -reach, reach), 1e-12) << i;
    EXPECT_LE(std::abs(fast.rates[i]), 0.5 + 1e-12) << i;
  }
}

/// Value and rate of wn^2/(s^2 + 2 xi wn s + wn^2) `t` after a unit step, from rest.
std::array<double, 2> step_response(double wn, double xi, double t) {
  if (xi < 1) {
    const double wd = wn * std::sqrt(1 - xi * xi), e = std::exp(-xi * wn * t);
    return {1 - e * (std::cos(wd * t) + xi * wn / wd * std::sin(wd * t)), e * wn * wn / wd * std::sin(wd * t)};
  }
  const double r = wn * std::sqrt(xi * xi - 1), a = xi * wn - r, b = xi * wn + r;
  return {1 - (b * std::exp(-a * t) - a * std::exp(-b * t)) / (b - a),
          a * b * (std::exp(-a * t) - std::exp(-b * t)) / (b - a)};
}

TEST(AxisServo, AnswersAStepAsItsSecondOrderAfterItsDeadTime) {
  for (const double T : {1e-4, 1e-3, 4e-3})
    for (const double xi : {0.3, 0.7, 1.6})
      for (const int late : {0, 1, 7}) {
        const double wn = 60;
        kit::Bench servo(
            plugin("dynamics").type("AxisServo"),
            {.parameters = {{"response_delay", late * T}, {"natural_frequency", wn}, {"damping_ratio", xi}},
             .shapes = {{"command", {2, 1}}},
             .period = T});
        servo.set("command", std::vector<double>{0.0, 1.0});
        servo.step();
        servo.set("command", std::vector<double>{1.0, -1.0});
        for (int k = 1; k < 200; ++k) {
          servo.step();
          const double since = (k - 1 - late) * T;
          const auto [y, rate] = since > 0 ? step_response(wn, xi, since) : std::array<double, 2>{};
          EXPECT_NEAR(servo.number("position", 0), y, 1e-11) << T << " " << xi << " " << late << " " << k;
          EXPECT_NEAR(servo.number("position", 1), 1 - 2 * y, 1e-11);
          EXPECT_NEAR(servo.number("rate", 0), rate, 1e-9);
        }
      }
}

/// Before the first tick an axis moved uniformly; it follows a ramp 2 xi / wn and its dead time late, and half a
/// tick where the second order holds its command.
TEST(AxisServo, BeginsOnTheRampThatItFollows) {
  const double T = 1e-3, wn = 80, xi = 0.7, speed = 0.3;
  for (const bool filtered : {false, true})
    for (const double late : {0.0, 3e-3, 3.5e-3}) {
      kit::Bench servo(plugin("dynamics").type("AxisServo"), {.parameters = {{"response_delay", late},
                                                                             {"natural_frequency", filtered ? wn : 0.0},
                                                                             {"damping_ratio", xi},
                                                                             {"fractional", "interpolate"}},
                                                              .shapes = {{"command", {1, 1}}},
                                                              .period = T});
      double rate = 0;
      const double lag = late + (filtered ? 2 * xi / wn + T / 2 : 0.0);
      for (int k = 0; k < 50; ++k) {
        servo.set("command", std::vector<double>{1 + speed * k * T});
        servo.set("command_rate", std::vector<double>{speed});
        servo.step();
        EXPECT_NEAR(servo.number("position"), 1 + speed * (k * T - lag), filtered ? 5e-7 : 1e-14) << k << " " << late;
        EXPECT_NEAR(servo.number("rate"), speed, filtered ? 2e-4 : 1e-15) << k;
        if (k == 0) rate = servo.number("rate");
        EXPECT_NEAR(servo.number("rate"), rate, 1e-12) << "it is on its steady ramp";
      }
    }
}

} // namespace
} // namespace hilda::test
