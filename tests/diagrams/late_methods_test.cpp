// SPDX-License-Identifier: BSD-3-Clause
// The contact methods of other laboratories: hybrid contact, and the compensators of real-time hybrid simulation. Each
// diagram is compared with a separate computation: a closed form, or one axis written again.

#include "tests/diagrams/diagram_run.h"

#include <Eigen/Dense>
#include <cmath>
#include <deque>
#include <functional>
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

/// The same axis, with what makes a command of the motion and a force of the measured one given as functions.
struct Loop {
  double stiffness, period;
  int late;               ///< ticks
  double threshold = 0.0; ///< N, below which the measured force is 0

  /// At a tick; forces on the wall, along the normal.
  struct Now {
    double measured, x, v, actual, actual_v;
  };
  std::function<double(double x)> command = [](double x) { return x; };
  std::function<double(const Now&)> force = [](const Now& n) { return n.measured; };

  double wall(double at, double k) const {
    const double depth = std::abs(at) - 0.015;
    return depth > 0 ? std::copysign(k * depth, at) : 0;
  }
  /// Energy after each contact over that at the start.
  std::vector<double> energies(std::size_t contacts) const {
    const double start = 0.02;
    double x = 0, v = start;
    std::vector<double> sent, speeds, found;
    bool pressed = false;
    for (int k = 0; found.size() < contacts && k < 400000; ++k) {
      sent.push_back(command(x));
      speeds.push_back(v);
      const auto at = static_cast<std::size_t>(std::max(0, k - late));
      const double actual = k >= late ? sent[at] : start * period * (k - late);
      const double true_force = wall(actual, stiffness), felt = std::abs(true_force) > threshold ? true_force : 0;
      const double applied = force({felt, x, v, actual, k >= late ? speeds[at] : start});
      pressed = pressed || true_force != 0;
      if (pressed && true_force == 0 && std::abs(applied) < 1e-9) { // nothing moves the body any more
        found.push_back(v * v / (start * start));
        pressed = false;
      }
      v -= period / reduced * applied;
      x += period * v;
    }
    return found;
  }
};

void expect_as(const std::string& diagram, const Loop& loop, std::vector<std::string> settings,
               double tolerance = 1e-6) {
  settings.insert(settings.end(),
                  {"integrator=symplectic", "contacts=4", "contact_threshold=" + text(loop.threshold, "N"),
                   "response_delay=" + text(loop.late * loop.period, "s"), "period=" + text(loop.period, "s"),
                   "stiffness=" + text(loop.stiffness, "N/m")});
  const DiagramRun r = run(diagram, settings);
  const std::vector<double> wanted = loop.energies(4);
  ASSERT_EQ(r.contacts().size(), wanted.size()) << diagram;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(r.contacts()[i].at("energy_ratio"), wanted[i], tolerance * wanted[i])
        << diagram << " contact " << i + 1 << ", " << loop.late << " ticks of " << loop.period;
}

/// The command by the least squares problem of the horizon, solved by QR; the polynomial through three
/// points by hand.
TEST(PredictiveCompensationDiagram, IsTheOneAxisWrittenAgain) {
  for (const double period : {0.5e-3, 1e-3, 2e-3}) {
    const int late = static_cast<int>(std::lround(0.01 / period));
    constexpr Eigen::Index n = 8;
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(2 * n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      rows(i, i) = rows(n + i, i) = 1;
      if (i > 0) rows(n + i, i - 1) = -2;
      if (i > 1) rows(n + i, i - 2) = 1;
    }
    const Eigen::MatrixXd all = Eigen::MatrixXd::Identity(2 * n, 2 * n);
    const Eigen::RowVectorXd first = rows.colPivHouseholderQr().solve(all).row(0);
    std::vector<double> past, sent;
    Loop loop{50e3, period, late};
    loop.command = [&](double x) {
      past.push_back(x);
      if (sent.empty()) sent = {x, x};
      const auto step = static_cast<std::size_t>(late), now = past.size() - 1;
      Eigen::VectorXd right = Eigen::VectorXd::Zero(2 * n);
      for (Eigen::Index j = 0; j < n; ++j) {
        const double s = 1 + static_cast<double>(j) / late; // in points, ahead
        const double p0 = x, p1 = now >= step ? past[now - step] : 0, p2 = now >= 2 * step ? past[now - 2 * step] : 0;
        right[j] = now < step       ? p0
                   : now < 2 * step ? p0 + s * (p0 - p1)
                                    : p0 + s * (3 * p0 - 4 * p1 + p2) / 2 + s * s * (p0 - 2 * p1 + p2) / 2;
      }
      right[n] = 2 * sent.back() - sent[sent.size() - 2], right[n + 1] = -sent.back();
      sent.push_back(first.dot(right));
      return sent.back();
    };
    expect_as("predictive_compensation", loop, {"order=2", "horizon=8", "weight=1", "walk=0"});
  }
}

/// A wall that the predictor takes for softer than it is, behind a gate: model without delay, and the filtered rest.
TEST(SmithPredictorDiagram, IsTheOneAxisWrittenAgain) {
  for (const double period : {0.5e-3, 1e-3, 2e-3})
    for (const double threshold : {0.0, 5.0})
      for (const double hertz : {0.0, 50.0}) {
        const int late = static_cast<int>(std::lround(0.01 / period));
        Loop loop{50e3, period, late, threshold};
        std::deque<double> line(static_cast<std::size_t>(late), 0.0);
        double held = 0;
        loop.force = [&](const Loop::Now& n) {
          const double model = loop.wall(n.x, 40e3);
          line.push_back(model);
          const double expected = line.front();
          line.pop_front();
          double innovation = n.measured - expected;
          if (threshold > 0 && n.measured == 0)
            innovation = std::abs(expected) <= threshold ? 0 : std::copysign(threshold, expected) - expected;
          const double keep = hertz > 0 ? std::exp(-2 * std::numbers::pi * hertz * period) : 0;
          held = keep * held + (1 - keep) * innovation;
          return model + held;
        };
        expect_as("smith_predictor", loop, {"model_stiffness=40 N/mm", "bandwidth=" + text(hertz, "Hz")});
      }
}

/// With a model that is exact the force has no delay. What a gate cuts off makes or takes energy, unless the observer
/// knows of it.
TEST(SmithPredictorDiagram, WithTheRightModelKeepsTheEnergyBehindAKnownDeadZone) {
  for (const char* bandwidth : {"0 Hz", "10 Hz"}) {
    const auto off = [&](std::vector<std::string> more) {
      more.insert(more.end(), {"stiffness=5 N/mm", "response_delay=20 ms", "contact_threshold=5 N",
                               std::string("bandwidth=") + bandwidth});
      return std::abs(run("smith_predictor", more).contacts().back().at("energy_ratio") - 1);
    };
    EXPECT_LT(off({}), 1e-4) << bandwidth;
    EXPECT_GT(off({"known_dead_zone=0 N"}), 1e-3) << bandwidth;
  }
}

/// A fixed gain: the lead of a differentiator that is written again from Han's earlier papers.
TEST(SwitchingCompensationDiagram, WithOneGainIsTheOneAxisWrittenAgain) {
  for (const double period : {0.5e-3, 1e-3, 2e-3}) {
    const int late = static_cast<int>(std::lround(0.01 / period));
    const double r = 2e6, h = period, d = r * h;
    Loop loop{50e3, period, late};
    double x = 0, v = 0;
    loop.force = [&](const Loop::Now& n) {
      const double y = x - n.measured + h * v;
      const double root = std::sqrt(d * d + 8 * r * std::abs(y));
      const double a = std::abs(y) > h * d ? v + std::copysign(root - d, y) / 2 : v + y / h;
      x += h * v;
      v -= std::abs(a) > d ? h * std::copysign(r, a) : h * r * a / d;
      const double led = n.measured + 1.2 * late * period * v;
      return n.measured == 0 || led * n.measured <= 0 ? 0 : led; // a wall does not pull
    };
    expect_as("switching_compensation", loop, {"low_gain=1.2", "high_gain=1.2", "force_acceleration=2e6 N/s2"}, 1e-5);
  }
}

TEST(SwitchingCompensationDiagram, KeepsTheEnergyBetterThanItsFixedGain) {
  for (const char* delay : {"4 ms", "10 ms", "20 ms"}) {
    const auto last = [&](std::vector<std::string> settings) {
      settings.push_back(std::string("response_delay=") + delay);
      return run("switching_compensation", settings).contacts().back().at("energy_ratio");
    };
    EXPECT_LT(std::abs(last({}) - 1), 0.6 * std::abs(last({"high_gain=1"}) - 1)) << delay;
  }
}

TEST(NormalizedPassivityDiagram, IsTheOneAxisWrittenAgain) {
  for (const double period : {0.5e-3, 1e-3, 2e-3}) {
    const int late = static_cast<int>(std::lround(0.01 / period));
    Loop loop{50e3, period, late};
    double made = 0, passed = 0;
    loop.force = [&](const Loop::Now& n) {
      const double keep = std::exp(-period / 0.3), out = -n.measured * n.v, in = -n.measured * n.actual_v;
      made = keep * made + (1 - keep) * (out - in);
      passed = keep * passed + (1 - keep) * (std::abs(out) + std::abs(in));
      const double damped = n.measured + 5000 * std::max(0.0, passed > 0 ? made / passed : 0) * n.v;
      return damped * n.measured <= 0 ? 0 : damped; // a wall does not pull
    };
    expect_as("normalized_passivity", loop, {"passivity_gain=5000 N*s/m", "passivity_filter=0.3 s"});
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
