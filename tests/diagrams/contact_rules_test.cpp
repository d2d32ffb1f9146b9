// SPDX-License-Identifier: BSD-3-Clause
// What any correct implementation of the contact papers' equations shows: delays make energy by a known factor, the
// filter finds the wall, momentum stays.

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace hilda::test {
namespace {

constexpr double k = 176275.0, m = 300.0 * 4000.0 / 4300.0, pi = std::numbers::pi;
const double w = std::sqrt(k / m);

DiagramRun run(const std::string& diagram, std::vector<std::string> settings, std::vector<std::string> observed = {}) {
  DiagramRun result = run_diagram({diagram, std::move(settings), std::move(observed)});
  EXPECT_EQ(result.errors, "");
  return result;
}

std::string ms(double time) { return std::to_string(time * 1e3) + "ms"; }

double cov(const DiagramRun& run, std::size_t contact) { return run.contacts().at(contact - 1).at("cov"); }
double cof(const DiagramRun& run, std::size_t contact) { return run.contacts().at(contact - 1).at("cof"); }

const double periods[] = {0.5e-3, 1e-3, 2e-3, 4e-3};

TEST(WithoutDelay, SymplecticKeepsTheSpeed) {
  for (const double T : periods) {
    const DiagramRun r = run("uncompensated", {"response_delay=0ms", "period=" + ms(T)});
    EXPECT_NEAR(cov(r, 5), 1.0, 1e-3) << T;
  }
}

TEST(WithoutDelay, AHeldForceGainsAQuarterOfATick) {
  for (const double T : periods) {
    const DiagramRun r = run("uncompensated", {"response_delay=0ms", "integrator=zoh", "period=" + ms(T)});
    double before = 1.0;
    for (std::size_t i = 1; i <= 5; ++i) {
      EXPECT_NEAR(cov(r, i) / before, std::exp(pi * w * T / 4), 0.002) << T << " contact " << i;
      before = cov(r, i);
    }
  }
}

TEST(WithDelay, TheFirstContactGainsHalfTheDelay) {
  for (const double T : periods)
    for (const double tau : {1e-3, 2e-3, 4e-3, 6e-3}) {
      if (std::abs(tau / T - std::round(tau / T)) > 1e-9) continue;
      const std::vector<std::string> base{"response_delay=" + ms(tau), "period=" + ms(T), "contacts=1"};
      EXPECT_NEAR(cov(run("uncompensated", base), 1) / std::exp(pi * w * tau / 2), 1.0, 5e-3) << T << " " << tau;
      std::vector<std::string> held = base;
      held.push_back("integrator=zoh");
      EXPECT_NEAR(cov(run("uncompensated", held), 1) / std::exp(pi * w * (tau / 2 + T / 4)), 1.0, 5e-3)
          << T << " " << tau;
    }
}

TEST(WithDelay, TenMillisecondsDivergeAsKnown) {
  const DiagramRun s = run("uncompensated", {"response_delay=10ms"});
  EXPECT_NEAR(cov(s, 1), 1.474, 0.02 * 1.474);
  EXPECT_NEAR(cov(s, 5), 6.96, 0.02 * 6.96);
  const DiagramRun z = run("uncompensated", {"response_delay=10ms", "integrator=zoh"});
  EXPECT_NEAR(cov(z, 1), 1.502, 0.02 * 1.502);
  EXPECT_NEAR(cov(z, 5), 7.64, 0.02 * 7.64);
}

TEST(Dac, FirstContactIsAsHardAsWithoutCompensation) {
  for (const char* integrator : {"integrator=symplectic", "integrator=zoh"}) {
    const double without = cof(run("uncompensated", {"response_delay=10ms", "contacts=1", integrator}), 1);
    EXPECT_NEAR(cof(run("dac", {"response_delay=10ms", "contacts=1", integrator}), 1), without, 1e-9);
  }
}

TEST(Identification, FindsTheWallWithinTwoContacts) {
  for (const double T : periods)
    for (const char* diagram : {"uncompensated", "pic", "dac", "pida"}) {
      const DiagramRun r = run(diagram, {"response_delay=12ms", "contacts=2", "period=" + ms(T)});
      EXPECT_NEAR(r.figures.at("identified.stiffness") / k, 1.0, T > 3e-3 ? 3e-3 : 1e-3) << diagram << " " << T;
      EXPECT_NEAR(r.figures.at("identified.damping") / std::sqrt(k * m), 0.0, 0.01) << diagram << " " << T;
    }
}

TEST(Identification, IsBiasedByTheLeadAsKnown) {
  for (const double T : {0.5e-3, 1e-3})
    for (const double tau : {1e-3, 2e-3, 4e-3}) {
      const std::vector<std::string> base{"response_delay=10ms", "sensor_delay=" + ms(tau), "period=" + ms(T)};
      const DiagramRun right = run("pida", base);
      const double bias = right.figures.at("identified.stiffness") / k - 1.0;
      EXPECT_NEAR(bias, w * w * tau * (tau + T) / 2, 1e-3) << T << " " << tau;
      std::vector<std::string> long_lead = base;
      long_lead.push_back("lead_time=" + ms(tau + 1e-3));
      const DiagramRun wrong = run("pida", long_lead);
      const double error = wrong.figures.at("identified.damping") - right.figures.at("identified.damping");
      EXPECT_NEAR(error, k * 1e-3, 0.02 * k * 1e-3) << T << " " << tau;
      EXPECT_NEAR(wrong.figures.at("identified.stiffness") / right.figures.at("identified.stiffness"), 1.0, 4e-3);
    }
}

TEST(Identification, AThresholdOfOneSigmaTakesNoiseForContact) {
  const std::vector<std::string> base{"response_delay=10ms", "force_noise=0.5N", "contacts=2"};
  std::vector<std::string> low = base;
  low.push_back("contact_threshold=0.5");
  const double taken = run("pida", low).figures.at("identified.stiffness_mean");
  const double kept_out = run("pida", base).figures.at("identified.stiffness_mean");
  EXPECT_NEAR(kept_out / k, 1.0, 0.05);
  EXPECT_LT(taken, 0.9 * k);
}

TEST(Momentum, OfBothBodiesIsKept) {
  for (const char* inertia : {"98", "80 98 120"}) {
    const DiagramRun r = run("pida_oblique", {std::string("service_inertia=") + inertia, "contacts=5"});
    EXPECT_LT(r.figures.at("momentum_error.linear"), 1e-12) << inertia;
    EXPECT_LT(r.figures.at("momentum_error.angular"), 1e-11) << inertia;
  }
}

TEST(CentralContact, AlongXIsTheOneOfTheRelativeMass) {
  const DiagramRun two = run("pida", {"contacts=2"});
  const DiagramRun one = run("pida", {"contacts=2", "service_mass=" + std::to_string(m), "target_mass=inf"});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(two.contacts()[i].at("peak_force"), one.contacts()[i].at("peak_force"), 1e-6);
    EXPECT_NEAR(two.contacts()[i].at("speed_after"), one.contacts()[i].at("speed_after"), 1e-9);
  }
}

TEST(Oblique, ContactKeepsSpeedAlongTheNormalEnergyAndSpin) {
  const std::vector<std::string> seen{"satellites.service.twist"};
  const auto spin = [](const DiagramRun& r, std::size_t i) {
    return r.at("satellites.service.twist", static_cast<std::size_t>(r.steps) - 1, 6, 3 + i);
  };
  const DiagramRun ideal = run("pida_oblique", {"response_delay=0ms", "contacts=4", "clamp=off"}, seen);
  for (const char* delay : {"response_delay=10ms", "response_delay=20ms"}) {
    const DiagramRun r = run("pida_oblique", {delay, "contacts=4"}, seen);
    EXPECT_NEAR(r.contacts().back().at("energy_ratio"), 1.0, 0.006) << delay;
    for (std::size_t i = 1; i <= 4; ++i) EXPECT_NEAR(cov(r, i), 1.0, 0.006) << delay << " contact " << i;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(spin(r, i), spin(ideal, i), 1e-3) << delay << " axis " << i;
  }
}

TEST(SecondOrder, StartsOnItsSteadyRamp) {
  const DiagramRun r = run("uncompensated", {"response_delay=0ms", "natural_frequency=135Hz", "contacts=1"},
                           {"rig.robot.twist", "rig.wall.on_wall"});
  EXPECT_NEAR(r.at("rig.robot.twist", 0, 6), 0.01881, 1e-5);
  for (std::size_t tick = 0; r.at("rig.wall.on_wall", tick, 6) == 0.0; ++tick)
    EXPECT_NEAR(r.at("rig.robot.twist", tick, 6), r.at("rig.robot.twist", 0, 6), 1e-14);
}

TEST(WorkObserver, SeesTheChangeOfKineticEnergy) {
  const DiagramRun r = run("pida", {"response_delay=10ms", "observer=work", "contacts=1", "stiffness=176275 N/m"},
                           {"passivity.energy", "gate.in_contact", "satellites.service.kinetic_energy",
                            "satellites.target.kinetic_energy", "identification.damping"});
  const auto kinetic = [&](std::size_t t) {
    return r.at("satellites.service.kinetic_energy", t) + r.at("satellites.target.kinetic_energy", t);
  };
  double worst = 0.0;
  std::size_t ticks = 0;
  for (std::size_t t = 0; t < static_cast<std::size_t>(r.steps); ++t) {
    if (r.at("gate.in_contact", t) == 0.0) continue;
    worst = std::max(worst, std::abs(r.at("passivity.energy", t) - (kinetic(0) - kinetic(t))));
    ++ticks;
  }
  EXPECT_GT(ticks, 100u);
  EXPECT_LT(worst, 0.01 * kinetic(0)); // less than what the filter's residue of damping takes
}

TEST(DeadTime, ThatIsNoWholeNumberOfTicksIsRefused) {
  const DiagramRun r = run_diagram({"pida", {"response_delay=10.3ms"}, {}});
  EXPECT_NE(r.errors.find("10 ms or 11 ms"), std::string::npos) << r.errors;
}

TEST(DeadTime, ThatIsNoWholeNumberOfTicksIsRoundedOrInterpolatedOnRequest) {
  const double ten = cov(run("uncompensated", {"response_delay=10ms", "contacts=1"}), 1);
  const double eleven = cov(run("uncompensated", {"response_delay=11ms", "contacts=1"}), 1);
  const double rounded = cov(run("uncompensated", {"response_delay=10.3ms", "fractional=round", "contacts=1"}), 1);
  const double between =
      cov(run("uncompensated", {"response_delay=10.5ms", "fractional=interpolate", "contacts=1"}), 1);
  EXPECT_DOUBLE_EQ(rounded, ten);
  EXPECT_NEAR(between, 0.5 * (ten + eleven), 2e-3);
}

} // namespace
} // namespace hilda::test
