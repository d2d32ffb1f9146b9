// SPDX-License-Identifier: BSD-3-Clause
// What the papers report, as far as it can be reached; where it cannot, what comes out instead.

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using Settings = std::vector<std::string>;

DiagramRun run(const std::string& diagram, Settings settings) {
  DiagramRun result = run_diagram({diagram, std::move(settings), {}});
  EXPECT_EQ(result.errors, "");
  return result;
}

double mean(const DiagramRun& run, const char* column) {
  double sum = 0.0;
  for (const DiagramRun::Row& row : run.contacts()) sum += row.at(column);
  return sum / static_cast<double>(run.contacts().size());
}
double last(const DiagramRun& run, const char* column) { return run.contacts().back().at(column); }
double first(const DiagramRun& run, const char* column) { return run.contacts().front().at(column); }

TEST(Pic, TenMilliseconds) {
  const DiagramRun r = run("pic", {"response_delay=10ms"});
  EXPECT_NEAR(first(r, "cov"), 1.023, 1e-3);
  EXPECT_NEAR(last(r, "cof"), 1.058, 2e-3);
}

TEST(Pic, TwentyMillisecondsPeakBelowThePapers) {
  const DiagramRun r = run("pic", {"response_delay=20ms"});
  EXPECT_NEAR(first(r, "cof"), 1.17, 0.01);
  EXPECT_NEAR(first(r, "cov"), 1.02, 0.002);
  EXPECT_NEAR(last(r, "cov"), 0.967, 1e-3);
}

TEST(Pic, FiftyMillisecondsGiveWhatThePaperShowsForTwenty) {
  const DiagramRun r = run("pic", {"response_delay=50ms", "contacts=1"});
  EXPECT_NEAR(first(r, "cof"), 1.69, 0.01);
  EXPECT_NEAR(first(r, "cov"), 0.54, 0.01);
}

TEST(Dac, TenMilliseconds) {
  const DiagramRun held = run("dac", {"response_delay=10ms", "integrator=zoh"});
  EXPECT_NEAR(first(held, "cov"), 1.007, 1e-3);
  EXPECT_NEAR(last(held, "cov"), 1.023, 1e-3);
  EXPECT_NEAR(mean(held, "cof"), 1.24, 5e-3);
  EXPECT_NEAR(mean(run("dac", {"response_delay=10ms"}), "cof"), 1.227, 2e-3);
  EXPECT_NEAR(mean(run("dac", {"response_delay=10ms", "integrator=zoh", "period=2ms"}), "cof"), 1.26, 5e-3);
}

TEST(Pida, KeepsSpeedAndNearlyTheForce) {
  EXPECT_NEAR(mean(run("pida", {"response_delay=10ms"}), "cov"), 1.004, 1e-3);
  EXPECT_NEAR(mean(run("pida", {"response_delay=20ms"}), "cov"), 1.001, 1e-3);
  const struct {
    const char *delay, *integrator, *period;
    double cof;
  } cases[] = {{"10ms", "zoh", "1ms", 1.050},        {"20ms", "zoh", "1ms", 1.139},
               {"10ms", "zoh", "2ms", 1.070},        {"20ms", "zoh", "2ms", 1.161},
               {"10ms", "symplectic", "1ms", 1.039}, {"20ms", "symplectic", "1ms", 1.129}};
  for (const auto& c : cases) {
    const DiagramRun r = run("pida", {std::string("response_delay=") + c.delay,
                                      std::string("integrator=") + c.integrator, std::string("period=") + c.period});
    EXPECT_NEAR(mean(r, "cof"), c.cof, 1.5e-3) << c.delay << " " << c.integrator << " " << c.period;
  }
}

TEST(Pida, WithoutTheClampLosesSpeed) {
  const struct {
    const char *delay, *integrator;
    double cov;
  } cases[] = {
      {"10ms", "zoh", 0.862}, {"20ms", "zoh", 0.528}, {"10ms", "symplectic", 0.858}, {"20ms", "symplectic", 0.517}};
  for (const auto& c : cases) {
    const DiagramRun r =
        run("pida", {std::string("response_delay=") + c.delay, std::string("integrator=") + c.integrator, "clamp=off"});
    EXPECT_NEAR(last(r, "cov"), c.cov, 1.5e-3) << c.delay << " " << c.integrator;
  }
}

TEST(Identification, StartUpShowsInTheMeanAlone) {
  const double k = 176275.0;
  for (const auto& [delay, error] : {std::pair{"4ms", -0.0042}, std::pair{"10ms", -0.0039}}) {
    const DiagramRun r = run("pic", {std::string("response_delay=") + delay});
    EXPECT_NEAR(r.figures.at("identified.stiffness") / k, 1.0, 1e-6) << delay;
    EXPECT_NEAR(r.figures.at("identified.stiffness_mean") / k - 1.0, error, 1e-4) << delay;
  }
}

TEST(Acc, VirtualWall) {
  const DiagramRun r = run("acc", {"response_delay=10ms"});
  EXPECT_NEAR(r.figures.at("identified.stiffness"), 70000.0, 0.1);
  EXPECT_NEAR(r.figures.at("identified.damping"), 100.0, 0.01);
  EXPECT_NEAR(r.figures.at("identified.stiffness_mean"), 69810.0, 10.0);
}

TEST(Acc, DivergenceOfFigure3NeedsTheSecondOrder) {
  const Settings base{"response_delay=6ms", "integrator=zoh", "contacts=8"};
  const auto ratios = [](const DiagramRun& r) {
    return std::pair{last(r, "speed_after") / 0.02, last(r, "peak_force") / first(r, "peak_force")};
  };
  const auto [pure_speed, pure_force] = ratios(run("uncompensated", base));
  EXPECT_NEAR(pure_speed, 7.7, 0.05);
  EXPECT_NEAR(pure_force, 5.9, 0.06);
  Settings with = base;
  with.insert(with.end(), {"natural_frequency=135Hz", "damping_ratio=0.7"});
  const auto [speed, force] = ratios(run("uncompensated", with));
  EXPECT_NEAR(speed, 14.8, 0.1);
  EXPECT_NEAR(force, 10.6, 0.1);
}

TEST(Oblique, EnergyStaysWithPidaAndNearlyWithDac) {
  const Settings settings{"response_delay=10ms", "contacts=4"};
  EXPECT_NEAR(last(run("pida_oblique", settings), "energy_ratio"), 1.004, 2e-3);
}

TEST(Noise, MethodsStayBoundedButGain) {
  for (const char* diagram : {"dac", "pida"}) {
    const DiagramRun r = run(diagram, {"response_delay=10ms", "sensor_delay=2ms", "force_noise=0.5N"});
    EXPECT_GT(last(r, "cov"), 1.05) << diagram;
    EXPECT_LT(last(r, "cov"), 1.35) << diagram;
    EXPECT_LT(r.figures.at("identified.damping"), 0.0) << diagram;
  }
}

TEST(Noise, OfTheEncodersLowersTheMeanStiffness) {
  const struct {
    const char* noise;
    double error;
  } cases[] = {{"1 um", -0.015}, {"2 um", -0.05}, {"5 um", -0.21}};
  for (const auto& c : cases) {
    const DiagramRun r = run("pida", {"response_delay=10ms", std::string("position_noise=") + c.noise});
    EXPECT_NEAR(r.figures.at("identified.stiffness_mean") / 176275.0 - 1.0, c.error, 0.15 * std::abs(c.error) + 2e-3)
        << c.noise;
  }
}

} // namespace
} // namespace hilda::test
