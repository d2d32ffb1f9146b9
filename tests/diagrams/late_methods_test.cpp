// SPDX-License-Identifier: BSD-3-Clause
// The contact methods of other laboratories: hybrid contact, and the compensators of real-time hybrid simulation. Each
// diagram is compared with a separate computation: a closed form, or one axis written again.

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

constexpr double reduced = 1.0 / (1.0 / 300.0 + 1.0 / 4000.0); ///< kg, of both satellites

std::string text(double x, const char* unit) { return std::to_string(x) + " " + unit; }

DiagramRun run(const std::string& diagram, std::vector<std::string> settings) {
  DiagramRun result = run_diagram({diagram, std::move(settings), {}});
  EXPECT_EQ(result.errors, "") << diagram;
  return result;
}

/// One contact of m x'' + b x'(t - T) + k x(t - T) = 0 whose force does not pull: the speed after it per speed before.
/// The force is known a delay ahead, so that the motion is an integral: it is linear between steps of T / 400.
double late_rebound(double b, double k, double T) {
  constexpr std::size_t steps = 400;
  const double h = T / steps;
  std::vector<double> x{0}, v{1};
  const auto acceleration = [&](std::size_t i) {
    return i < steps ? 0 : -(k * x[i - steps] + b * v[i - steps]) / reduced;
  };
  for (std::size_t i = 0; i < 10000000; ++i) {
    const double now = i == steps ? -b / reduced : acceleration(i); // a damper's force begins with a jump
    const double then = i + 1 == steps ? 0 : acceleration(i + 1);
    if (i > steps && then >= 0) return -v.back();
    x.push_back(x.back() + h * v.back() + h * h / 6 * (2 * now + then));
    v.push_back(v.back() + h / 2 * (now + then));
  }
  return NAN;
}

double rebound_of(const DiagramRun& r) {
  const DiagramRun::Row& first = r.contacts().front();
  return first.at("speed_after") / first.at("speed_before");
}

/// At ticks of 0.25 to 1 ms, and in the limit of none: the error is of the tick's order.
TEST(HybridContact, ReboundsAsTheClosedFormOfItsDelay) {
  std::mt19937 random(39);
  std::uniform_real_distribution<double> pick(0, 1);
  for (int i = 0; i < 12; ++i) {
    const double wall = 3e3 * std::pow(60.0, pick(random)), spring = wall * (1.5 * pick(random) - 0.5),
                 k = wall + spring;
    const double T = std::round(std::min(0.4 / std::sqrt(k / reduced), 0.02) * (0.3 + 0.7 * pick(random)) * 1e3) / 1e3;
    const double b = k * T * (0.5 + pick(random));
    if (T < 1e-3) continue;
    const double exact = late_rebound(b, k, T);
    for (const double period : {0.25e-3, 0.5e-3, 1e-3}) {
      const DiagramRun r =
          run("hybrid_contact", {"contacts=1", "contact_threshold=0.01 N", "stiffness=" + text(wall, "N/m"),
                                 "virtual_stiffness=" + text(spring, "N/m"), "virtual_damping=" + text(b, "N*s/m"),
                                 "response_delay=" + text(T, "s"), "period=" + text(period, "s")});
      ASSERT_EQ(r.contacts().size(), 1u);
      EXPECT_NEAR(rebound_of(r), exact, 1.5 * period * std::sqrt(k / reduced))
          << wall << " + " << spring << " N/m, " << b << " N s/m, " << T << " s, " << period;
    }
  }
}

/// Its default damper is what keeps the energy of one contact in the closed form.
TEST(HybridContact, KeepsTheEnergyOfOneContactByItsDefaults) {
  for (const double k : {5e3, 30e3, 176275.0})
    for (const double T : {0.002, 0.005, 0.01, 0.016}) {
      const double phase = T * std::sqrt(k / reduced);
      if (phase > 0.45) continue;
      const double b = k * T * (1 + phase / 3 + 0.47 * phase * phase + 2.5 * std::pow(phase, 4));
      EXPECT_NEAR(late_rebound(b, k, T), 1, 2e-3) << k << " " << T;
      const DiagramRun r = run("hybrid_contact", {"contacts=1", "stiffness=" + text(k, "N/m"),
                                                  "response_delay=" + text(T, "s"), "period=0.25 ms"});
      EXPECT_NEAR(rebound_of(r), 1, 6e-3) << k << " " << T;
    }
}

/// A contact of the stiffness and damping that the parameters ask for: its rebound is that of a damped half turn.
TEST(HybridContact, HasTheWantedStiffnessAndDamping) {
  for (const double wanted : {200.0, 600.0}) {
    const DiagramRun r =
        run("hybrid_contact", {"contacts=1", "stiffness=30 N/mm", "virtual_stiffness=20 N/mm", "response_delay=4 ms",
                               "period=0.5 ms", "wanted_damping=" + text(wanted, "N*s/m")});
    const double xi = wanted / (2 * std::sqrt(50e3 * reduced)),
                 theta = std::acos(xi); // no adhesion: the damped half turn
    EXPECT_NEAR(rebound_of(r), std::exp(-2 * theta * xi / std::sin(theta)), 0.02)
        << wanted; // ends where the force is 0
    EXPECT_NEAR(r.contacts().front().at("cov"), 1, 0.02) << wanted;
  }
}

/// One axis written again: a mass that moves by symplectic Euler between two walls at +-gap / 2, a robot with a dead
/// time.
struct Axis {
  double stiffness, period, lead;
  int late;       ///< ticks
  int order = -1; ///< of the polynomial; -1: the inverse of a lag

  /// Energy after each contact over that at the start.
  std::vector<double> energies(int contacts) const {
    const double start = 0.02, half = 0.015;
    double x = 0, v = start;
    std::vector<double> past, sent, found;
    bool touched = false;
    for (int k = 0; static_cast<int>(found.size()) < contacts && k < 400000; ++k) {
      past.push_back(x);
      sent.push_back(command(past));
      // Before the first tick the robot moved uniformly.
      const double actual = k >= late ? sent[static_cast<std::size_t>(k - late)] : start * period * (k - late);
      const double depth = std::abs(actual) - half;
      const double force = depth > 0 ? stiffness * depth : 0;
      if (touched && force == 0) found.push_back(v * v / (start * start));
      touched = force > 0;
      v -= period / reduced * (actual > 0 ? force : -force);
      x += period * v;
    }
    return found;
  }

private:
  double command(const std::vector<double>& past) const {
    const std::size_t now = past.size() - 1;
    if (order < 0) return past[now] + (now == 0 ? 0 : lead / period * (past[now] - past[now - 1]));
    const auto step = static_cast<std::size_t>(std::lround(lead / period));
    double sum = 0, binomial = 1; // (-1)^i (n + 1 over i + 1)
    const std::size_t n = std::min(static_cast<std::size_t>(order), now / step);
    for (std::size_t i = 0; i <= n; ++i) {
      binomial *= static_cast<double>(n + 1 - i) / static_cast<double>(i + 1);
      sum += (i % 2 == 0 ? binomial : -binomial) * past[now - i * step];
    }
    return sum;
  }
};

void expect_as(const std::string& diagram, const Axis& axis, std::vector<std::string> settings) {
  const int contacts = 4;
  settings.insert(settings.end(), {"integrator=symplectic", "contacts=4", "contact_threshold=0 N",
                                   "response_delay=" + text(axis.late * axis.period, "s"),
                                   "period=" + text(axis.period, "s"), "stiffness=" + text(axis.stiffness, "N/m")});
  const DiagramRun r = run(diagram, settings);
  const std::vector<double> wanted = axis.energies(contacts);
  ASSERT_EQ(r.contacts().size(), wanted.size()) << diagram;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(r.contacts()[i].at("energy_ratio"), wanted[i], 1e-6 * wanted[i])
        << diagram << " contact " << i + 1 << ", " << axis.late << " ticks of " << axis.period;
}

TEST(PolynomialExtrapolationDiagram, IsTheOneAxisWrittenAgain) {
  for (const double period : {0.5e-3, 1e-3, 2e-3})
    for (const int order : {1, 2, 3})
      for (const double stiffness : {20e3, 176275.0}) {
        const int late = static_cast<int>(std::lround(0.01 / period));
        expect_as("polynomial_extrapolation", {stiffness, period, 0.01, late, order},
                  {"order=" + std::to_string(order)});
      }
}

TEST(InverseCompensationDiagram, IsTheOneAxisWrittenAgain) {
  for (const double period : {0.5e-3, 1e-3, 2e-3})
    for (const double stiffness : {20e3, 176275.0}) {
      const int late = static_cast<int>(std::lround(0.01 / period));
      expect_as("inverse_compensation", {stiffness, period, 0.01, late}, {});
    }
}

/// The delay is learned in the flight before the first contact: a guess that is wrong by half costs nothing.
TEST(AdaptiveTimeSeriesDiagram, LearnsTheRobotsDelayBeforeTheFirstContact) {
  for (const char* period : {"0.5 ms", "1 ms", "2 ms"}) {
    const auto last = [&](const char* guess, const char* speed) {
      const DiagramRun r = run("adaptive_time_series",
                               {"stiffness=20 N/mm", "response_delay=20 ms", std::string("compensation_lead=") + guess,
                                std::string("speed=") + speed, "contacts=5", std::string("period=") + period});
      return r.contacts().empty() ? NAN : r.contacts().back().at("energy_ratio");
    };
    const double right = last("20 ms", "4 mm/s"), wrong = last("10 ms", "4 mm/s");
    EXPECT_NEAR(wrong, right, 0.03 * right) << period;
    const DiagramRun fixed =
        run("polynomial_extrapolation", {"stiffness=20 N/mm", "response_delay=20 ms", "compensation_lead=10 ms",
                                         "order=2", "speed=4 mm/s", "contacts=5", std::string("period=") + period});
    EXPECT_GT(std::abs(fixed.contacts().back().at("energy_ratio") - 1), 3 * std::abs(wrong - 1)) << period;
  }
}

} // namespace
} // namespace hilda::test
