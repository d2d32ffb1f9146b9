// SPDX-License-Identifier: BSD-3-Clause
// What the ideal run is made of: the order of its steps, how far it flies without looking, and how it finds a root.

#include "blocks/contact/bracketed_root.h"
#include "blocks/contact/undelayed_plant.h"
#include "tests/diagrams/chance.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hilda::test {
namespace {

/// Two satellites off their axes that turn, and a plane `gap` before the tool.
UndelayedPlant spinning(Chance& chance, double gap, double spin) {
  UndelayedPlant plant;
  const auto body = [&](BodyModel& model, BodyState& state, double mass, const Vector3& moments) {
    model.inverse_mass = 1.0 / mass;
    model.inverse_inertia = Matrix3(moments.cwiseInverse().asDiagonal());
    model.offset = chance.vector(0.1, 0.8);
    const double angle = chance.between(-3.0, 3.0);
    state.q = Quaternion(Eigen::AngleAxisd(angle, chance.direction()));
    state.v = 0.02 * chance.direction();
    state.L = moments.cwiseProduct(Vector3(spin * chance.vector(0.1, 1.0)));
    state.x = state.q * Vector3(-model.offset);
  };
  body(plant.tool, plant.tool_body, 300.0, Vector3(98.0, 60.0, 120.0));
  body(plant.world, plant.world_body, 4000.0, Vector3(3684.0, 2900.0, 4100.0));
  ContactElement& e = plant.elements[0];
  e.n = chance.direction(), e.r = 0.2 * chance.direction(), e.k = 1e5;
  plant.element_count = 1;
  const UndelayedPlant::Seen s = plant.seen();
  e.d = touch(e, s.pose, s.twist).penetration + gap;
  return plant;
}

/// Everything that a step changes.
Eigen::Matrix<double, 26, 1> all_of(const UndelayedPlant& plant) {
  Eigen::Matrix<double, 26, 1> s;
  int at = 0;
  for (const BodyState& b : {plant.tool_body, plant.world_body}) {
    s.segment<3>(at) = b.x, s.segment<3>(at + 3) = b.v, s.segment<3>(at + 6) = b.L;
    s.segment<4>(at + 9) = b.q.coeffs();
    at += 13;
  }
  return s;
}

Eigen::Matrix<double, 26, 1> after(UndelayedPlant plant, double time, int steps) {
  for (int i = 0; i < steps; ++i) plant.advance(time / steps);
  return all_of(plant);
}

/// With damping, with friction and with both bodies' turning: nothing in it is linear. A single case may have its
/// errors near to zero by chance at one number of steps, so many are asked.
TEST(UndelayedPlant, AdvancesByTheEighthOrder) {
  std::vector<double> orders;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Chance chance(seed);
    UndelayedPlant plant = spinning(chance, -1e-3, 3.0);
    plant.elements[0].c = seed % 2 == 0 ? 300.0 : 0.0;
    plant.pressed = 1;
    const double time = 3.2 / plant.quickness(1);
    plant.elements[0].mu = seed % 3 == 0 ? 0.02 : 0.0;
    const auto exact = after(plant, time, 64);
    double errors[2];
    for (int i = 0; i < 2; ++i) errors[i] = (after(plant, time, 4 << i) - exact).norm();
    EXPECT_GT(errors[0], 1e-11) << seed << ": nothing is left of which an order could be told";
    EXPECT_LT(errors[1], 1e-7) << seed;
    orders.push_back(std::log2(errors[0] / errors[1]));
  }
  std::sort(orders.begin(), orders.end());
  EXPECT_GT(orders[6], 6.4) << "of the lowest tenth";
  EXPECT_GT(orders[30], 7.5) << "of the median";
}

TEST(UndelayedPlant, FliesAsFarAsNothingIsTouchedAndNotMuchLess) {
  int flights = 0, looks = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Chance chance(seed);
    UndelayedPlant plant = spinning(chance, 0.01, std::pow(10.0, chance.between(-4.0, 0.5)));
    const double longest = 0.4 / plant.spin();
    int steps = 0, whole = 0; ///< those that the spin alone bounds
    for (double gap = 0.01; gap > 1e-9 && steps < 400; ++steps) {
      const double free = plant.free_time(longest), h = std::min(free, longest);
      ASSERT_TRUE(std::isfinite(h)) << seed;
      if (h == longest) ++whole;
      for (int i = 0; i < 20; ++i) {
        plant.advance(h / 20);
        const UndelayedPlant::Seen s = plant.seen();
        gap = -touch(plant.elements[0], s.pose, s.twist).penetration;
        ASSERT_GT(gap, -1e-12 - 3e-14 * plant.tool_body.x.norm()) << seed; // some fly for a day, and kilometres
      }
    }
    if (steps == 400) continue; // they recede
    ++flights, looks += steps - whole;
  }
  EXPECT_GT(flights, 60);
  EXPECT_LT(looks, 15 * flights); // one that has passed close by before takes more
}

TEST(UndelayedPlant, IsNotTouchedWhereNothingTurnsAndNothingNears) {
  Chance chance(1);
  UndelayedPlant plant = spinning(chance, 0.01, 0.0);
  plant.tool_body.v = plant.world_body.v = Vector3::Zero();
  EXPECT_EQ(plant.free_time(INFINITY), INFINITY);
  const Vector3 normal = plant.world_body.q * plant.elements[0].n;
  plant.tool_body.v = -0.01 * normal;
  EXPECT_EQ(plant.free_time(INFINITY), INFINITY);
  plant.tool_body.v = 0.01 * normal;
  EXPECT_NEAR(plant.free_time(INFINITY), 1.0, 1e-12);
}

TEST(BracketedRoot, IsFoundWhateverTheFunction) {
  const auto find = [](double high, double least, const auto& f) {
    int calls = 0;
    const double at = bracketed_root(f(0.0), high, f(high), least, [&](double x) { return ++calls, f(x); });
    EXPECT_GT(f(at), 0.0);
    return std::pair(at, calls);
  };
  const auto expect = [](std::pair<double, int> found, double root, double least, int calls) {
    EXPECT_GE(found.first, root);
    EXPECT_LE(found.first, root + 1.01 * least);
    EXPECT_LE(found.second, calls) << root;
  };
  expect(find(0.4, 1e-14, [](double x) { return std::sin(x) - 0.1; }), std::asin(0.1), 1e-14, 8);
  expect(find(0.4, 1e-14, [](double x) { return 0.3 - std::cos(5 * x); }), std::acos(0.3) / 5, 1e-14, 9);
  expect(find(1.0, 1e-12, [](double x) { return x > 0.3 ? 1.0 : -1.0; }), 0.3, 1e-12, 100);         // a jump
  expect(find(1.0, 1e-12, [](double x) { return std::pow(x, 9) - 1e-9; }), 0.1, 1e-12, 100);        // flat
  expect(find(1.0, 1e-12, [](double x) { return std::cbrt(x - 0.6); }), 0.6, 1e-12, 100);           // steep
  expect(find(1.0, 1e-12, [](double x) { return x > 0.3 ? 1.0 : std::nan(""); }), 0.3, 1e-12, 200); // none before it
  expect(find(1.0, 1e-12, [](double x) { return x; }), 0.0, 1e-12, 100);                            // at the very begin
  expect(find(1.0, 1e-12, [](double x) { return x > 0.3 ? INFINITY : -INFINITY; }), 0.3, 1e-12, 200);
}

} // namespace
} // namespace hilda::test
