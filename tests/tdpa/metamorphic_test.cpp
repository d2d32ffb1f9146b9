// SPDX-License-Identifier: BSD-3-Clause
// What must not change when the scenario is scaled, mirrored or taken apart: to the bit.

#include "tests/tdpa/tdpa_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Numbers = std::vector<double>;

std::string list(const Numbers& numbers, const std::string& unit, std::size_t row = 0) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : row > 0 && i % row == 0 ? "; " : " ", numbers[i]);
  if (row > 0 && numbers.size() == row) text += ";";
  return text + (unit.empty() ? "" : " " + unit);
}
Numbers scaled(Numbers numbers, double by) {
  for (double& number : numbers) number *= by;
  return numbers;
}
/// Each number of a list by its own factor, again and again.
Numbers scaled(Numbers numbers, const Numbers& by) {
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= by[i % by.size()];
  return numbers;
}

/// A scenario in numbers, so that it can be scaled.
struct Scenario {
  std::string diagram;
  double period_ms, delay_ms, duration;
  Numbers mass, inertia, velocity, angular_velocity, stiffness, damping, rotational_stiffness, rotational_damping;
  double slip = 1e-3;
  Numbers points, normals;
  std::vector<std::string> more;

  TdpaRun run() const {
    std::vector<std::string> settings = more;
    const auto set = [&](const std::string& name, const Numbers& values, const std::string& unit, std::size_t row = 0) {
      if (!values.empty()) settings.push_back(name + "=" + list(values, unit, row));
    };
    set("period", {period_ms}, "ms");
    set("response_delay", {delay_ms}, "ms");
    set("mass", mass, "kg");
    set("inertia", inertia, "kg m2", 3);
    set("velocity", velocity, "m/s");
    set("angular_velocity", angular_velocity, "rad/s");
    set("stiffness", stiffness, "N/m");
    set("damping", damping, "N s/m");
    set("rotational_stiffness", rotational_stiffness, "N m/rad");
    set("rotational_damping", rotational_damping, "N m s/rad");
    set("rig.slip_speed", {slip}, "m/s");
    set("points", points, "m", 3);
    set("normals", normals, "", 3);
    return run_tdpa({.diagram = diagram, .settings = settings, .replaced = {}, .rig = {}, .duration = duration});
  }
};

Scenario room() {
  return {"tdpa_full",
          4,
          40,
          24,
          {280},
          {18, 2.5, -1.5, 2.5, 20, 3, -1.5, 3, 22},
          {0.02, 0.03, 0.04},
          {0.005, 0.01, 0.015},
          {1500},
          {10},
          {120},
          {0.5},
          1e-3,
          {},
          {},
          {}};
}
Scenario docking(const std::string& grouping) {
  return {"tdpa_docking",
          4,
          40,
          30,
          {700},
          {116, 15, 0, 15, 160, 0, 0, 0, 160},
          {0, 0, -0.02},
          {0, 0, 0},
          {3000},
          {20},
          {0},
          {0},
          1e-3,
          {0.25, 0.15, -0.4, -0.3, 0.1, 0.4},
          {0, 0, 1, 0, 0, -1},
          {"friction=0.2", "grouping=" + grouping}};
}

Vector6d six(double linear, double angular) {
  Vector6d v;
  v << linear, linear, linear, angular, angular, angular;
  return v;
}

/// How many numbers of the second run differ from those of the first, scaled.
std::size_t differing(const TdpaRun& a, const TdpaRun& b, const Vector6d& twists, const Vector6d& wrenches,
                      double energy) {
  if (!a.errors.empty() || !b.errors.empty() || a.rows.size() != b.rows.size()) return 999999999;
  std::size_t count = 0;
  const auto compare = [&](const Vector6d& x, const Vector6d& y) {
    count += static_cast<std::size_t>((x.array() != y.array()).count());
  };
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    const TdpaRun::Row &x = a.rows[k], &y = b.rows[k];
    compare(x.body.cwiseProduct(twists), y.body);
    compare(x.commanded.cwiseProduct(twists), y.commanded);
    compare(x.robot.cwiseProduct(twists), y.robot);
    compare(x.measured.cwiseProduct(wrenches), y.measured);
    compare(x.applied.cwiseProduct(wrenches), y.applied);
    compare(x.claimed * energy, y.claimed);
    if (x.claimed_total * energy != y.claimed_total) ++count;
  }
  return count;
}

class SameBits : public ::testing::TestWithParam<std::string> {
protected:
  Scenario scenario() const { return GetParam() == "room" ? room() : docking(GetParam()); }
};

TEST_P(SameBits, FourTimesTheMass) {
  const Scenario one = scenario();
  Scenario four = one;
  for (Numbers* each : {&four.mass, &four.inertia, &four.stiffness, &four.damping, &four.rotational_stiffness,
                        &four.rotational_damping})
    *each = scaled(*each, 4);
  const TdpaRun a = one.run(), b = four.run();
  ASSERT_EQ(a.errors + b.errors, "");
  EXPECT_EQ(differing(a, b, six(1, 1), six(4, 4), 4), 0u);
}

TEST_P(SameBits, FourTimesTheTime) {
  const Scenario one = scenario();
  Scenario slow = one;
  slow.period_ms *= 4, slow.delay_ms *= 4, slow.duration *= 4, slow.slip /= 4;
  for (Numbers* each : {&slow.velocity, &slow.angular_velocity, &slow.damping, &slow.rotational_damping})
    *each = scaled(*each, 0.25);
  for (Numbers* each : {&slow.stiffness, &slow.rotational_stiffness}) *each = scaled(*each, 0.0625);
  const TdpaRun a = one.run(), b = slow.run();
  ASSERT_EQ(a.errors + b.errors, "");
  EXPECT_EQ(differing(a, b, six(0.25, 0.25), six(0.0625, 0.0625), 0.0625), 0u);
}

TEST_P(SameBits, MirroredInEachCoordinatePlane) {
  const Scenario one = scenario();
  const TdpaRun a = one.run();
  ASSERT_EQ(a.errors, "");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Numbers polar(3, 1.0), axial(3, -1.0);
    polar[axis] = -1.0, axial[axis] = 1.0;
    Scenario mirrored = one;
    mirrored.velocity = scaled(one.velocity, polar);
    mirrored.angular_velocity = scaled(one.angular_velocity, axial);
    mirrored.points = scaled(one.points, polar);
    mirrored.normals = scaled(one.normals, polar);
    for (std::size_t i = 0; i < 9; ++i)
      if ((i / 3 == axis) != (i % 3 == axis)) mirrored.inertia[i] *= -1;
    const TdpaRun b = mirrored.run();
    ASSERT_EQ(b.errors, "");
    Vector6d factors;
    factors << polar[0], polar[1], polar[2], axial[0], axial[1], axial[2];
    EXPECT_EQ(differing(a, b, factors, factors, 1), 0u) << "axis " << axis;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, SameBits, ::testing::Values("room", "port", "axis"),
                         [](const auto& given) { return given.param; });

TEST(SameBitsAlone, OneAxisIsTheSameAxisInSixDegreesOfFreedom) {
  const TdpaRun all = run_tdpa({.diagram = "tdpa_full", .settings = {}, .replaced = {}, .rig = {}});
  ASSERT_EQ(all.errors, "");
  for (int axis = 0; axis < 3; ++axis) {
    Numbers v(3, 0.0);
    v[static_cast<std::size_t>(axis)] = all.rows[0].body[axis];
    const TdpaRun alone = run_tdpa({.diagram = "tdpa_full",
                                    .settings = {"velocity=" + list(v, "m/s"), "angular_velocity=0 0 0 rad/s"},
                                    .replaced = {},
                                    .rig = {}});
    ASSERT_EQ(alone.errors, "");
    std::size_t count = 0;
    for (std::size_t k = 0; k < all.rows.size(); ++k) {
      const TdpaRun::Row &x = all.rows[k], &y = alone.rows[k];
      count += x.body[axis] != y.body[axis] || x.commanded[axis] != y.commanded[axis] ||
               x.robot[axis] != y.robot[axis] || x.measured[axis] != y.measured[axis] ||
               x.applied[axis] != y.applied[axis] || x.claimed[axis] != y.claimed[axis];
    }
    EXPECT_EQ(count, 0u) << "axis " << axis;
  }
}

TEST(SameBitsAlone, ARoomIsSixHalfSpaces) {
  const TdpaRun flat = run_tdpa({.diagram = "tdpa_full", .settings = {}, .replaced = {}, .rig = {}});
  const TdpaRun points =
      run_tdpa({.diagram = "tdpa_full",
                .settings = {"half_size=inf", "rig.points=0 0 0; 0 0 0; 0 0 0; 0 0 0; 0 0 0; 0 0 0 m",
                             "rig.normals=1 0 0; -1 0 0; 0 1 0; 0 -1 0; 0 0 1; 0 0 -1",
                             "rig.offsets=-0.1037 -0.1037 -0.1037 -0.1037 -0.1037 -0.1037 m"},
                .replaced = {},
                .rig = {}});
  ASSERT_EQ(flat.errors + points.errors, "");
  EXPECT_EQ(differing(flat, points, six(1, 1), six(1, 1), 1), 0u);
}

TEST(SameBitsAlone, TwoRunsOfOneDiagram) {
  const std::vector<std::string> settings{"force_noise=0.05 N", "seed=3"};
  const TdpaRun a = run_tdpa({.diagram = "tdpa_full", .settings = settings, .replaced = {}, .rig = {}});
  const TdpaRun b = run_tdpa({.diagram = "tdpa_full", .settings = settings, .replaced = {}, .rig = {}});
  EXPECT_EQ(differing(a, b, six(1, 1), six(1, 1), 1), 0u);
  const TdpaRun other =
      run_tdpa({.diagram = "tdpa_full", .settings = {"force_noise=0.05 N", "seed=4"}, .replaced = {}, .rig = {}});
  EXPECT_GT(differing(a, other, six(1, 1), six(1, 1), 1), 1000u);
}

} // namespace
} // namespace hilda::test
