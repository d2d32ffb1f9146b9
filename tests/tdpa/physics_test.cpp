// SPDX-License-Identifier: BSD-3-Clause
// Bands that any correct loop keeps: how much a contact gains, without control, with it, and with the passive
// integrator.

#include "tests/tdpa/tdpa_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

constexpr double pi = std::numbers::pi;

/// One axis between two walls.
struct Bouncing {
  double mass = 280, period_ms = 1, stiffness = 2000, half_size = 0.2;
  int delay_ticks = 0;
  double w() const { return std::sqrt(stiffness / mass); }
  double delay() const { return delay_ticks * period_ms * 1e-3; }
};

enum class Means { none, controller, both, both_negative };

/// Speed after over speed before, contact by contact, of the body.
std::vector<double> restitution(const Bouncing& b, Means means) {
  const double speed = 0.2;
  const TdpaRun run =
      run_tdpa({.diagram = "tdpa_uncompensated",
                .settings = {fmt::format("period={} ms", b.period_ms), fmt::format("mass={} kg", b.mass),
                             fmt::format("stiffness={} N/m", b.stiffness), fmt::format("half_size={} m", b.half_size),
                             fmt::format("response_delay={} ms", b.period_ms * b.delay_ticks),
                             fmt::format("velocity=0 0 {} m/s", speed), "angular_velocity=0 0 0 rad/s",
                             means == Means::none ? "controller=off" : "controller=on",
                             means == Means::both || means == Means::both_negative ? "passive_integrator=on"
                                                                                   : "passive_integrator=off",
                             means == Means::both_negative ? "sign=-1" : "sign=1"},
                .replaced = {},
                .rig = {},
                .duration = 5 * b.half_size / speed + 3 * pi / b.w()});
  EXPECT_EQ(run.errors, "");
  std::vector<double> ratios;
  double before = 0.0;
  int quiet = -1; // -1: in free flight
  for (const TdpaRun::Row& row : run.rows) {
    const bool pressed = row.wall[2] != 0.0 || row.applied[2] != 0.0;
    if (pressed) {
      quiet = 0;
    } else if (quiet < 0) {
      before = std::abs(row.body[2]);
    } else if (++quiet > b.delay_ticks + 3) {
      ratios.push_back(std::abs(row.body[2]) / before);
      before = std::abs(row.body[2]);
      quiet = -1;
    }
  }
  EXPECT_GE(ratios.size(), 1u);
  return ratios;
}

/// Geometries in which the wall is met anywhere between two samples.
const std::vector<double> half_sizes{0.2003, 0.2017};

std::vector<Bouncing> bouncings(double most) {
  std::vector<Bouncing> all;
  for (const double mass : {280.0, 50.0})
    for (const double period : {1.0, 4.0})
      for (const double stiffness : {500.0, 5000.0, 20000.0})
        for (const int delay : {1, 3, 10})
          for (const double half : half_sizes) {
            const Bouncing b{mass, period, stiffness, half, delay};
            if (b.w() * b.delay() <= most) all.push_back(b);
          }
  return all;
}
std::string shown(const Bouncing& b) {
  return fmt::format("M {} T {} ms K {} delay {} half {}", b.mass, b.period_ms, b.stiffness, b.delay_ticks,
                     b.half_size);
}

TEST(Contact, WithoutControlGainsWhatTheDelaySays) {
  for (const Bouncing& b : bouncings(0.25))
    for (const double e : restitution(b, Means::none))
      EXPECT_NEAR(e / std::exp(pi * b.w() * b.delay() / 2), 1.0, 0.01) << shown(b);
}

TEST(Contact, WithControllerGainsAHalfSampleOfTheIntegrator) {
  for (const Bouncing& b : bouncings(0.2))
    for (const double e : restitution(b, Means::controller)) {
      const double unit = pi * b.w() * b.period_ms * 1e-3 / 4;
      EXPECT_GE(e - 1, 0.95 * unit) << shown(b);
      EXPECT_LE(e - 1, 1.25 * unit) << shown(b);
    }
}

TEST(Contact, ThePublishedSignDoublesThat) {
  for (const Bouncing& b : bouncings(0.2))
    for (const double e : restitution(b, Means::both)) {
      const double unit = pi * b.w() * b.period_ms * 1e-3 / 2;
      EXPECT_GE(e - 1, 0.95 * unit) << shown(b);
      EXPECT_LE(e - 1, 1.25 * unit) << shown(b);
    }
}

TEST(Contact, TheOtherSignIsNeutral) {
  for (const Bouncing& b : bouncings(0.2))
    for (const double e : restitution(b, Means::both_negative)) EXPECT_NEAR(e, 1.0, 1e-3) << shown(b);
}

TEST(Contact, WithoutDelayTheIntegratorAloneIsHalfASampleOff) {
  const Bouncing b{280, 4, 5000, 0.2003, 0};
  for (const double e : restitution(b, Means::controller)) EXPECT_NEAR(e, 1.0000, 2e-4);
  for (const double e : restitution(b, Means::both)) EXPECT_NEAR(e, 1.0134, 3e-4);
  for (const double e : restitution(b, Means::both_negative)) EXPECT_NEAR(e, 0.9868, 3e-4);
}

TEST(Contact, StiffWallAtTenSamplesOfDelay) {
  const Bouncing b{280, 4, 5000, 0.2003, 10};
  for (const double e : restitution(b, Means::controller)) EXPECT_NEAR(e, 1.0160, 2e-4);
  for (const double e : restitution(b, Means::both)) EXPECT_NEAR(e, 1.0321, 2e-4);
  for (const double e : restitution(b, Means::both_negative)) EXPECT_NEAR(e, 1.0000, 1e-4);
}

/// Relative drift of the kinetic energy of a free tumbling body over 60 s at 4 ms.
double drift(const std::string& integrator, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings{"period=4 ms",        "inertia=18 2.5 -1.5; 2.5 20 3; -1.5 3 22 kg m2",
                                    "velocity=0 0 0 m/s", "angular_velocity=0.1 -0.05 0.08 rad/s",
                                    "half_size=inf",      "rotational_half_size=inf",
                                    "response_delay=0 s", "body.integrator=" + integrator};
  settings.insert(settings.end(), more.begin(), more.end());
  const TdpaRun run = run_tdpa({.diagram = "tdpa", .settings = settings, .replaced = {}, .rig = {}, .duration = 60});
  EXPECT_EQ(run.errors, "");
  return std::abs(run.rotation(run.last().body) / run.rotation(run.rows[0].body) - 1);
}

TEST(Tumbling, EulerDriftsAndTheOthersDoNot) {
  EXPECT_GT(drift("euler"), 5e-5);
  EXPECT_LT(drift("euler"), 1e-3);
  EXPECT_LT(drift("rk4"), 1e-12);
}

TEST(Tumbling, ThePassiveIntegratorDoesNotCureIt) {
  EXPECT_EQ(drift("euler"), drift("euler", {"passive_integrator=on"}));
}

} // namespace
} // namespace hilda::test
