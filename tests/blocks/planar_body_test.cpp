// SPDX-License-Identifier: BSD-3-Clause
// A body on an air-bearing table against closed forms (parabola, stop distance, time of a spin), a differential
// equation that is solved here with small steps, and balances of energy and momentum. Tables have any attitude.

#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <hilda/rotation.h>
#include <hilda/testing.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace hilda::test {
namespace {

namespace kit = hilda::testing;
using ::testing::HasSubstr;

const kit::Plugin& dynamics() {
  static const kit::Plugin plugin(build_folder() + "/lib/hilda/plugins/dynamics.so");
  return plugin;
}

/// A table in some attitude; what lies in its plane is given in its own axes, x y.
struct Table {
  Quaternion q;
  Vector3 in_world(double x, double y, double z = 0) const { return q * Vector3(x, y, z); }
};
const Table tables[] = {{Quaternion(1, 0, 0, 0)}, {rotation_exp({0.4, -1.1, 0.7})}, {rotation_exp({2.0, 0.3, -1.5})}};

std::vector<double> list(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
Vector3 vector(const kit::Value& v, std::size_t from = 0) {
  return {v.numbers[from], v.numbers[from + 1], v.numbers[from + 2]};
}

constexpr double mass = 200, inertia = 30, g = 9.81, radius = 0.4;

/// Three pads around the centre of mass, in body axes. The body begins with another attitude.
struct Body {
  Table table;
  kit::Setup setup;
  Quaternion attitude = rotation_exp({0.2, 0.5, -0.3});

  Body(const Table& on, double period, std::map<std::string, kit::Value> parameters, Vector3 centre = {0, 0, 0})
      : table(on) {
    std::vector<double> pads(9);
    for (std::size_t i = 0; i < 3; ++i) {
      const double a = 2 * M_PI * static_cast<double>(i) / 3;
      const Vector3 pad =
          centre + attitude.conjugate() * table.in_world(radius * std::cos(a), radius * std::sin(a), -0.1);
      for (std::size_t j = 0; j < 3; ++j) pads[3 * j + i] = pad[static_cast<Eigen::Index>(j)];
    }
    setup.parameters = {{"mass", mass},
                        {"inertia", inertia},
                        {"centre", list(centre)},
                        {"normal", list(table.in_world(0, 0, 1))},
                        {"pads", kit::Value{{3, 3}, pads}}};
    for (auto& [name, value] : parameters) setup.parameters[name] = value;
    setup.period = period;
    setup.undriven = {"thrust"};
  }

  /// At the origin of W, with a speed of B's origin in the table's axes and a spin about its normal.
  void begin(kit::Bench& bench, double vx, double vy, double spin) const {
    bench.set("start_pose", std::vector<double>{0, 0, 0, attitude.w(), attitude.x(), attitude.y(), attitude.z()});
    const Vector3 v = table.in_world(vx, vy), w = attitude.conjugate() * table.in_world(0, 0, spin);
    bench.set("start_twist", std::vector<double>{v.x(), v.y(), v.z(), w.x(), w.y(), w.z()});
  }
  Vector3 place(const kit::Bench& bench) const { return table.q.conjugate() * vector(bench.get("pose")); }
  Vector3 speed(const kit::Bench& bench) const { return table.q.conjugate() * vector(bench.get("twist")); }
  double spin(const kit::Bench& bench) const {
    const kit::Value p = bench.get("pose");
    const Quaternion q(p.numbers[3], p.numbers[4], p.numbers[5], p.numbers[6]);
    return (table.q.conjugate() * (q * vector(bench.get("twist"), 3))).z();
  }
};

TEST(PlanarBody, FallsDownATiltedTableOnAParabola) {
  for (const Table& table : tables)
    for (const double T : {1e-3, 4e-3, 20e-3}) {
      const double tilt = 2e-3, angle = 0.9, a = g * std::sin(tilt);
      const Body body(table, T,
                      {{"tilt", tilt}, {"downhill", list(3 * table.in_world(std::cos(angle), std::sin(angle), 5))}});
      kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
      body.begin(bench, 0.05, -0.03, 0.2);
      for (int k = 0; k <= 200; ++k) {
        bench.step();
        const double t = k * T;
        const Vector3 at = body.place(bench);
        EXPECT_NEAR(at.x(), 0.05 * t + a * std::cos(angle) * t * t / 2, 1e-12) << k;
        EXPECT_NEAR(at.y(), -0.03 * t + a * std::sin(angle) * t * t / 2, 1e-12) << k;
        EXPECT_NEAR(at.z(), 0, 1e-13);
        EXPECT_NEAR(body.spin(bench), 0.2, 1e-12);
        const double start = 0.5 * mass * (0.05 * 0.05 + 0.03 * 0.03) + 0.5 * inertia * 0.04;
        EXPECT_NEAR(bench.number("kinetic_energy") + bench.number("potential_energy"), start, 1e-11);
        EXPECT_NEAR(bench.number("lost"), 0, 1e-11);
      }
    }
}

/// v^2 / (2 mu g) in v / (mu g), within the tick in which it comes to rest; then it stays, to the bit.
TEST(PlanarBody, StopsByCoulombsFrictionAfterItsDistance) {
  for (const Table& table : tables)
    for (const double T : {1e-3, 5e-3})
      for (const double mu : {1e-3, 2e-2}) {
        const double v = 0.1, angle = 2.2, a = mu * g;
        const Body body(table, T, {{"coulomb", mu}});
        kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
        body.begin(bench, v * std::cos(angle), v * std::sin(angle), 0);
        const int ticks = static_cast<int>(std::ceil(v / a / T)) + 2;
        for (int k = 0; k <= ticks; ++k) {
          bench.step();
          const double t = k * T;
          if (t < v / a - T) { EXPECT_NEAR(body.speed(bench).norm(), v - a * t, 1e-12); }
        }
        const Vector3 at = body.place(bench);
        EXPECT_NEAR(at.norm(), v * v / (2 * a), a * T * T);
        EXPECT_NEAR(std::atan2(at.y(), at.x()), angle, 1e-9);
        EXPECT_NEAR(bench.number("lost"), 0.5 * mass * v * v, 1e-12);
        const std::vector<double> rest = bench.get("pose").numbers;
        bench.run(50);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(bench.number("pose", i), rest[i], 1e-15);
        EXPECT_LT(body.speed(bench).norm(), 1e-15);
      }
}

TEST(PlanarBody, SpinsDownInTheTimeOfItsPads) {
  for (const Table& table : tables)
    for (const double T : {1e-3, 5e-3}) {
      const double mu = 5e-3, spin = 0.4, slows = mu * mass * g * radius / inertia;
      const Body body(table, T, {{"coulomb", mu}});
      kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
      body.begin(bench, 0, 0, spin);
      for (int k = 0; k * T < spin / slows - T; ++k) {
        bench.step();
        EXPECT_NEAR(body.spin(bench), spin - slows * k * T, 1e-11);
        EXPECT_LT(body.place(bench).norm(), 1e-14);
      }
      bench.run(4);
      EXPECT_LT(std::abs(body.spin(bench)), 1e-13);
    }
}

TEST(PlanarBody, StaysOnASlopeThatFrictionHoldsAndSlidesOnASteeperOne) {
  const double mu = 2e-3, T = 2e-3;
  for (const Table& table : tables)
    for (const double share : {0.5, 0.999, 1.001, 3.0}) {
      const double tilt = std::atan(share * mu);
      const Body body(table, T, {{"coulomb", mu}, {"tilt", tilt}, {"downhill", list(table.in_world(1, 0))}});
      kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
      body.begin(bench, 0, 0, 0);
      bench.run(501);
      const double a = g * (std::sin(tilt) - mu * std::cos(tilt)), t = 500 * T;
      EXPECT_NEAR(body.place(bench).x(), share < 1 ? 0 : a * t * t / 2, share < 1 ? 1e-15 : 1e-11) << share;
      EXPECT_NEAR(bench.number("kinetic_energy") + bench.number("potential_energy") + bench.number("lost"), 0, 1e-12);
    }
}

TEST(PlanarBody, SlowsExponentiallyByViscousFriction) {
  const double c = 8, T = 2e-3, v = 0.2, spin = 0.3;
  const Body body(tables[1], T, {{"viscous", c}});
  kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
  body.begin(bench, v, 0, spin);
  for (int k = 0; k <= 1000; ++k) {
    bench.step();
    const double t = k * T;
    EXPECT_NEAR(body.speed(bench).x(), v * std::exp(-c * t / mass), 1e-12);
    EXPECT_NEAR(body.spin(bench), spin * std::exp(-c * radius * radius * t / inertia), 1e-12);
    EXPECT_NEAR(body.place(bench).x(), v * mass / c * (1 - std::exp(-c * t / mass)), 1e-9);
  }
}

/// Sliding and turning at once: each pad pushes against its own velocity. Solved again with 200 steps a tick.
TEST(PlanarBody, SlidesAndTurnsAsTheSumOfItsPads) {
  const double mu = 4e-3, T = 1e-3;
  for (const Table& table : tables) {
    const Body body(table, T, {{"coulomb", mu}});
    kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
    double vx = 0.06, vy = 0.02, w = 0.3, x = 0, y = 0, yaw = 0;
    body.begin(bench, vx, vy, w);
    bench.step();
    for (int k = 1; k < 1000; ++k) {
      bench.step();
      const int steps = 200;
      for (int s = 0; s < steps; ++s) {
        const double h = T / steps;
        double fx = 0, fy = 0, m = 0;
        for (int i = 0; i < 3; ++i) {
          const double a = yaw + 2 * M_PI * i / 3, rx = radius * std::cos(a), ry = radius * std::sin(a);
          const double ux = vx - w * ry, uy = vy + w * rx, u = std::hypot(ux, uy), f = mu * mass * g / 3;
          fx -= f * ux / u, fy -= f * uy / u, m += f * (-rx * uy + ry * ux) / u;
        }
        vx += h * fx / mass, vy += h * fy / mass, w += h * m / inertia;
        x += h * vx, y += h * vy, yaw += h * w;
      }
    }
    EXPECT_NEAR(body.speed(bench).x(), vx, 2e-5);
    EXPECT_NEAR(body.speed(bench).y(), vy, 2e-5);
    EXPECT_NEAR(body.spin(bench), w, 1e-4);
    EXPECT_NEAR(body.place(bench).x(), x, 2e-5);
    EXPECT_NEAR(body.place(bench).y(), y, 2e-5);
    EXPECT_LT(vx, 0.05) << "it has slowed";
  }
}

/// Any wrench at B's origin, with the centre of mass elsewhere: momentum about the normal, and energy.
TEST(PlanarBody, KeepsAccountOfMomentumAndEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (const Table& table : tables)
    for (const bool rubs : {false, true}) {
      const double T = 2e-3;
      Body body(table, T,
                {{"coulomb", rubs ? 3e-3 : 0.0},
                 {"viscous", rubs ? 5.0 : 0.0},
                 {"tilt", rubs ? 1e-3 : 0.0},
                 {"downhill", list(table.in_world(1, 2))}},
                {0.2, -0.1, 0.3});
      body.setup.undriven = {};
      const Vector3 centre(0.2, -0.1, 0.3), n = table.in_world(0, 0, 1);
      kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
      body.begin(bench, 0.1, 0.05, 0.1);
      double energy = 0, work = 0;
      Vector3 v = Vector3::Zero();
      double w = 0;
      const auto motion = [&] { // of the centre of mass
        const kit::Value p = bench.get("pose"), t = bench.get("twist");
        const Quaternion q(p.numbers[3], p.numbers[4], p.numbers[5], p.numbers[6]);
        const Vector3 turning = q * vector(t, 3);
        w = n.dot(turning);
        v = vector(t) + turning.cross(Vector3(q * centre));
        return q;
      };
      for (int k = 0; k < 400; ++k) {
        bench.compute();
        const Quaternion q = motion();
        const double now = bench.number("kinetic_energy") + bench.number("potential_energy") + bench.number("lost");
        EXPECT_NEAR(bench.number("kinetic_energy"), 0.5 * mass * v.squaredNorm() + 0.5 * inertia * w * w, 1e-12);
        if (k == 0) energy = now;
        EXPECT_NEAR(now, energy + work, 1e-10) << k;
        Vector3 force(0, 0, 0), torque(0, 0, 0);
        for (const char* name : {"wrench", "thrust"}) {
          std::vector<double> six(6);
          for (std::size_t i = 0; i < 6; ++i) six[i] = (i < 3 ? 60 : 8) * draw(random);
          bench.set(name, six);
          force += vector(kit::Value(six)), torque += q * vector(kit::Value(six), 3);
        }
        const Vector3 push = force - n * n.dot(force);
        const double turns = n.dot(torque - Vector3(q * centre).cross(force));
        const Vector3 kicked = v + push * T / mass;
        const double spun = w + turns * T / inertia;
        work += push.dot(v + kicked) * T / 2 + turns * (w + spun) * T / 2;
        bench.advance();
        if (rubs) continue;
        bench.compute();
        motion();
        EXPECT_LT(Vector3(v - kicked).norm(), 1e-13);
        EXPECT_NEAR(w, spun, 1e-13);
      }
    }
}

TEST(PlanarBody, EndsTheRunWherePadsDoNotBearEqualLoads) {
  for (const auto& [coulomb, off, text] : {std::tuple{0.1, 0.01, "do not lie around the centre of mass"},
                                           std::tuple{0.1, 1e-7, ""}, std::tuple{0.0, 0.01, ""}}) {
    const Table& table = tables[2];
    Body body(table, 1e-3, {{"coulomb", coulomb}});
    const Vector3 aside = body.attitude.conjugate() * table.in_world(off, 0, 0.3);
    body.setup.parameters["centre"] = list(aside);
    kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
    body.begin(bench, 0, 0, 0);
    bench.step();
    EXPECT_THAT(bench.verdict() == HILDA_GO ? "" : bench.verdict_text(), HasSubstr(text)) << off;
    EXPECT_EQ(bench.verdict() == HILDA_GO, std::string(text).empty()) << off;
  }
}

TEST(PlanarBody, RefusesATableWithoutNormalAndASlopeWithoutDirection) {
  const auto refused = [](std::map<std::string, kit::Value> parameters) -> std::string {
    const Body body(tables[0], 1e-3, std::move(parameters));
    try {
      kit::Bench bench(dynamics().type("PlanarBody"), body.setup);
    } catch (const kit::Refused& error) { return error.what(); }
    return "";
  };
  EXPECT_THAT(refused({{"tilt", 0.1}, {"downhill", std::vector<double>{0, 0, 1}}}), HasSubstr("no part in the plane"));
  EXPECT_THAT(refused({{"normal", std::vector<double>{0, 0, 0}}}), HasSubstr("has no length"));
}

/// m wn^2 and 2 m xi wn, in all directions or in a plane, up to what the drives give.
TEST(PoseTracking, IsASpringAndADamperWithinItsLimits) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> draw(-1, 1);
  const double wn = 3, xi = 0.7;
  for (const bool plane : {false, true})
    for (const double most : {double{INFINITY}, 5.0})
      for (int k = 0; k < 50; ++k) {
        const Vector3 n = plane ? Vector3(tables[1].in_world(0, 0, 1)) : Vector3(0, 0, 0);
        kit::Setup setup;
        setup.parameters = {{"mass", mass},         {"inertia", inertia}, {"natural_frequency", wn},
                            {"damping_ratio", xi},  {"most_force", most}, {"most_torque", 0.4 * most},
                            {"normal", list(2 * n)}};
        kit::Bench bench(dynamics().type("PoseTracking"), setup);
        const auto any = [&](double size) {
          return Vector3(size * draw(random), size * draw(random), size * draw(random));
        };
        const Vector3 p = any(1), error = any(0.1), turn = any(0.2), v = any(0.1), wv = any(0.1), cv = any(0.1),
                      cw = any(0.1);
        const Quaternion q = rotation_exp(any(1)), c = rotation_exp(turn) * q;
        const auto pose = [](const Vector3& at, const Quaternion& r) {
          return std::vector<double>{at.x(), at.y(), at.z(), r.w(), r.x(), r.y(), r.z()};
        };
        const auto twist = [](const Vector3& a, const Vector3& b) {
          return std::vector<double>{a.x(), a.y(), a.z(), b.x(), b.y(), b.z()};
        };
        bench.set("pose", pose(p, q));
        bench.set("command_pose", pose(p + error, c));
        bench.set("twist", twist(v, wv));
        bench.set("command_twist", twist(cv, cw));
        bench.step();
        Vector3 force = mass * (wn * wn * error + 2 * xi * wn * (cv - v));
        Vector3 torque = inertia * (wn * wn * turn + 2 * xi * wn * (q * Vector3(cw - wv)));
        if (plane) force -= n * n.dot(force), torque = n * n.dot(torque);
        if (force.norm() > most) force *= most / force.norm();
        if (torque.norm() > 0.4 * most) torque *= 0.4 * most / torque.norm();
        const kit::Value got = bench.get("thrust");
        EXPECT_LT(Vector3(vector(got) - force).norm(), 1e-11);
        EXPECT_LT(Vector3(q * vector(got, 3) - torque).norm(), 1e-11);
      }
}

} // namespace
} // namespace hilda::test
