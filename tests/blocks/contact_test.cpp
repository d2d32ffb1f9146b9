// SPDX-License-Identifier: BSD-3-Clause
// Blocks that read wrenches and twists, each on a bench against its equation.

#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <hilda/testing.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hilda::test {
namespace {

namespace kit = hilda::testing;
using Six = std::array<double, 6>;

const kit::Plugin& plugin(const std::string& name) {
  static std::map<std::string, kit::Plugin> plugins;
  return plugins.try_emplace(name, build_folder() + "/lib/hilda/plugins/" + name + ".so").first->second;
}

/// A six-vector that differs from tick to tick and from element to element.
Six wrench(int k) {
  Six six;
  for (int i = 0; i < 6; ++i) six[static_cast<std::size_t>(i)] = std::sin(0.7 * k + i) * (1 + i) + 0.1 * k;
  return six;
}
Six twist(int k) {
  Six six;
  for (int i = 0; i < 6; ++i) six[static_cast<std::size_t>(i)] = std::cos(0.3 * k - 2 * i) * (2 + i);
  return six;
}
kit::Value value(const Six& six) { return std::vector<double>(six.begin(), six.end()); }

constexpr double tau = 0.002, T = 1e-3;

Six led(int k) {
  Six y = wrench(k);
  const Six before = k > 0 ? wrench(k - 1) : Six{};
  for (std::size_t i = 0; i < 6; ++i) y[i] += tau / T * (y[i] - before[i]);
  return y;
}

TEST(PhaseLead, CountsAlwaysWhereNothingSaysWhetherThereIsContact) {
  kit::Bench lead(plugin("contact").type("PhaseLead"),
                  {.parameters = {{"time_constant", tau}}, .undriven = {"in_contact"}, .period = T});
  for (int k = 0; k < 5; ++k) {
    lead.set("measured", value(wrench(k)));
    lead.step();
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(lead.number("led", i), led(k)[i], 1e-12) << k;
  }
}

TEST(PhaseLead, RemembersTheSensorOutsideOfContactToo) {
  kit::Bench lead(plugin("contact").type("PhaseLead"), {.parameters = {{"time_constant", tau}}, .period = T});
  for (int k = 0; k < 12; ++k) {
    const bool contact = k % 5 >= 3;
    lead.set("measured", value(wrench(k)));
    lead.set("in_contact", contact ? 1 : 0);
    lead.step();
    // In the first tick of a contact the derivative is that of the sensor, not a jump from the last contact.
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(lead.number("led", i), contact ? led(k)[i] : 0, 1e-12) << k;
    EXPECT_EQ(lead.number("previous", 2), wrench(k)[2]);
  }
}

Six push(double x, double y, double z) { return {x, y, z, 0.5, -0.5, 0.25}; }

TEST(ContactGate, OpensAboveItsThresholdAndCountsTicks) {
  kit::Bench gate(plugin("contact").type("ContactGate"), {.parameters = {{"threshold", 5.0}}, .period = T});
  const Six at = push(3, 0, -4), above = push(3, 0, -4.001), none = push(0, 0, 0);
  const std::pair<Six, int> steps[] = {{at, 0}, {above, 1}, {above, 2}, {at, 0}, {none, 0}, {above, 1}, {above, 2}};
  for (const auto& [force, ticks] : steps) {
    gate.set("measured", value(force));
    gate.step();
    EXPECT_EQ(gate.number("ticks"), ticks) << gate.tick();
    EXPECT_EQ(gate.number("in_contact"), ticks > 0) << gate.tick();
  }
}

TEST(ContactGate, SeesNoContactInNoForceAtAll) {
  kit::Bench gate(plugin("contact").type("ContactGate"), {.parameters = {{"threshold", 0.0}}, .period = T});
  gate.set("measured", value(push(0, 0, 0)));
  gate.step();
  EXPECT_EQ(gate.number("in_contact"), 0) << "a torque alone is none";
  gate.set("measured", value(push(0, 1e-100, 0)));
  gate.step();
  EXPECT_EQ(gate.number("in_contact"), 1);
}

TEST(PullClamp, LetsOnlyPassWhatPushesAsMeasured) {
  const Six given = push(2, 0, 0);
  const std::pair<Six, bool> measured[] = {{push(0.1, 5, 0), true},   {push(1e-9, 0, 0), true}, {push(3, -9, 1), true},
                                           {push(-0.1, 5, 0), false}, {push(0, 5, 5), false},   {push(0, 0, 0), false}};
  for (const bool enabled : {true, false}) {
    kit::Bench clamp(plugin("contact").type("PullClamp"), {.parameters = {{"enabled", enabled ? 1 : 0}}, .period = T});
    clamp.set("wrench", value(given));
    for (const auto& [force, pushes] : measured) {
      clamp.set("measured", value(force));
      clamp.step();
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(clamp.number("clamped", i), pushes || !enabled ? given[i] : 0) << force[0] << " element " << i;
    }
  }
}

/// Written again from the equation: F + (k (p - p0).e + b v.e) e, the moment follows the tip.
TEST(VirtualContact, AddsASpringAndADamperAlongTheMeasuredForce) {
  const double k = 3000, b = -70;
  const std::array<double, 3> origin{0.1, -0.2, 0.3};
  kit::Bench hybrid(
      plugin("contact").type("VirtualContact"),
      {.parameters = {{"stiffness", k}, {"damping", b}, {"sensor_origin", {0.1, -0.2, 0.3}}}, .period = T});
  std::array<double, 3> outside{};
  for (int n = 0; n < 30; ++n) {
    const bool contact = n % 7 >= 3;
    const Six w = wrench(n), v = twist(n);
    const std::array<double, 3> p{0.01 * n, std::sin(0.2 * n), -0.03 * n};
    hybrid.set("wrench", value(w));
    hybrid.set("in_contact", contact ? 1 : 0);
    hybrid.set("position", {p[0], p[1], p[2]});
    hybrid.set("velocity", {v[0], v[1], v[2]});
    hybrid.step();
    const double size = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double depth = 0, rate = 0;
    for (std::size_t i = 0; i < 3; ++i) depth += (p[i] - outside[i]) * w[i] / size, rate += v[i] * w[i] / size;
    const double push = contact ? k * depth + b * rate : 0;
    std::array<double, 3> more{}, arm{};
    for (std::size_t i = 0; i < 3; ++i) more[i] = push * w[i] / size, arm[i] = p[i] - origin[i];
    EXPECT_NEAR(hybrid.number("added"), push, 1e-9) << n;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      EXPECT_NEAR(hybrid.number("hybrid", i), w[i] + more[i], 1e-9) << n;
      EXPECT_NEAR(hybrid.number("hybrid", 3 + i), w[3 + i] + arm[j] * more[l] - arm[l] * more[j], 1e-9) << n;
    }
    if (!contact) outside = p;
  }
}

TEST(VirtualContact, KnowsNoDepthWhereTheRunBeginsInContact) {
  kit::Bench hybrid(plugin("contact").type("VirtualContact"), {.parameters = {{"stiffness", 1000}}, .period = T});
  hybrid.set("wrench", value(push(2, 0, 0)));
  hybrid.set("in_contact", 1);
  hybrid.set("position", {5, 0, 0});
  hybrid.set("velocity", {0, 0, 0});
  hybrid.step();
  EXPECT_EQ(hybrid.number("added"), 0);
  hybrid.set("wrench", value(push(0, 0, 0))); // a gate that is late: there is no direction
  hybrid.step();
  EXPECT_EQ(hybrid.number("hybrid", 0), 0);
}

TEST(SplitPose, IsTheOtherWayRoundOfMakePose) {
  kit::Bench make(plugin("kinematics").type("MakePose"), {.period = T});
  kit::Bench split(plugin("kinematics").type("SplitPose"), {.period = T});
  const std::array<std::array<double, 3>, 5> turns{
      {{0, 0, 0}, {1e-9, 0, -1e-9}, {0.3, -0.4, 1.2}, {-2, 1, 2}, {0, 3.14, 0}}};
  for (const auto& turn : turns) {
    make.set("position", {1, -2, 3});
    make.set("rotation", {turn[0], turn[1], turn[2]});
    make.step();
    std::vector<double> pose;
    for (std::size_t i = 0; i < 7; ++i) pose.push_back(make.number("pose", i));
    split.set("pose", pose);
    split.step();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(split.number("position", i), pose[i]);
      EXPECT_NEAR(split.number("rotation", i), turn[i], 1e-12) << turn[1];
    }
  }
}

/// Written again from the law: the work of the held force by the mean velocity, the spring at the force led by 1, and
/// a gain that goes with their sum.
TEST(SwitchingLead, LeadsTheForceByAGainThatTheEnergyOfTheContactSets) {
  const double lag = 0.01, low = 0.8, high = 2.5, band = 0.02, k = 4000;
  const std::array<double, 3> origin{0.1, -0.2, 0.3};
  kit::Bench lead(plugin("contact").type("SwitchingLead"), {.parameters = {{"time_constant", lag},
                                                                           {"low", low},
                                                                           {"high", high},
                                                                           {"band", band},
                                                                           {"sensor_origin", {0.1, -0.2, 0.3}}},
                                                            .period = T});
  double given = 0, held[3] = {}, before[3] = {};
  int lows = 0, highs = 0, between = 0;
  for (int n = 0; n < 60; ++n) {
    const bool contact = n % 20 >= 3;
    const Six w = wrench(n), v = twist(n), r = twist(n + 7);
    const std::array<double, 3> p{0.01 * n, std::sin(0.2 * n), -0.03 * n};
    lead.set("wrench", value(w));
    lead.set("rate", {30 * r[0], 30 * r[1], 30 * r[2]});
    lead.set("in_contact", contact ? 1 : 0);
    lead.set("stiffness", n < 10 ? 0 : k);
    lead.set("position", {p[0], p[1], p[2]});
    lead.set("velocity", {v[0], v[1], v[2]});
    lead.step();
    double work = 0, square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      work -= T / 2 * held[i] * (v[i] + before[i]);
      square += std::pow(w[i] + lag * 30 * r[i], 2);
    }
    given = contact ? given + work : 0;
    const double made = contact && n >= 10 ? given + square / (2 * k) : 0;
    const double gain = made <= 0 ? low : made >= band ? high : low + made / band * (high - low);
    ++(made <= 0 ? lows : made >= band ? highs : between);
    EXPECT_NEAR(lead.number("energy"), made, 1e-12) << n;
    EXPECT_NEAR(lead.number("gain"), gain, 1e-12) << n;
    double more[3] = {};
    for (std::size_t i = 0; i < 3; ++i) more[i] = gain * lag * 30 * r[i];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      const double arm = (p[j] - origin[j]) * more[l] - (p[l] - origin[l]) * more[j];
      EXPECT_NEAR(lead.number("led", i), contact ? w[i] + more[i] : 0, 1e-9) << n;
      EXPECT_NEAR(lead.number("led", 3 + i), contact ? w[3 + i] + arm : 0, 1e-9) << n;
      held[i] = contact ? w[i] + more[i] : 0, before[i] = v[i];
    }
  }
  EXPECT_GT(lows, 0);
  EXPECT_GT(highs + between, 0);
}

/// Written again from the law, with sums of exponentials instead of the recursion.
TEST(NormalizedPassivity, DampsByTheShareOfThePowerThatTheRobotMakes) {
  const double gain = 300, lag = 0.006;
  kit::Bench control(plugin("passivity").type("NormalizedPassivity"),
                     {.parameters = {{"gain", gain}, {"time_constant", lag}}, .period = T});
  std::vector<double> outs, ins;
  int active = 0;
  for (int n = 0; n < 40; ++n) {
    const Six w = n % 11 < 3 ? Six{} : wrench(n), v = twist(n), a = twist(n + 3);
    const std::array<double, 3> p{0.2, std::cos(0.3 * n), 0.01 * n};
    control.set("wrench", value(w));
    control.set("position", {p[0], p[1], p[2]});
    control.set("velocity", {v[0], v[1], v[2]});
    control.set("actual_velocity", {a[0], a[1], a[2]});
    control.step();
    outs.push_back(-(w[0] * v[0] + w[1] * v[1] + w[2] * v[2]));
    ins.push_back(-(w[0] * a[0] + w[1] * a[1] + w[2] * a[2]));
    double made = 0, passed = 0;
    for (std::size_t i = 0; i < outs.size(); ++i) {
      const double weight = std::exp(-T / lag * static_cast<double>(outs.size() - 1 - i));
      made += weight * (outs[i] - ins[i]), passed += weight * (std::abs(outs[i]) + std::abs(ins[i]));
    }
    const double ratio = passed > 0 ? made / passed : 0, rate = gain * std::max(0.0, ratio);
    EXPECT_NEAR(control.number("ratio"), ratio, 1e-12) << n;
    EXPECT_NEAR(control.number("damping"), rate, 1e-9) << n;
    const double size = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double along = 0;
    for (std::size_t i = 0; i < 3 && size > 0; ++i) along += v[i] * w[i] / size;
    active += rate > 0 && size > 0 ? 1 : 0;
    std::array<double, 3> more{};
    for (std::size_t i = 0; i < 3 && size > 0; ++i) more[i] = rate * along * w[i] / size;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      EXPECT_NEAR(control.number("controlled", i), w[i] + more[i], 1e-9) << n;
      EXPECT_NEAR(control.number("controlled", 3 + i), w[3 + i] + p[j] * more[l] - p[l] * more[j], 1e-9) << n;
    }
  }
  EXPECT_GT(active, 5);
}

/// A motion that is twice as large has the same damper: power over power.
TEST(NormalizedPassivity, DoesNotDependOnTheSizeOfTheMotion) {
  std::vector<double> dampings;
  for (const double size : {1.0, 1e-3}) {
    kit::Bench control(plugin("passivity").type("NormalizedPassivity"),
                       {.parameters = {{"gain", 100}, {"time_constant", 0.05}}, .period = T});
    for (int n = 0; n < 100; ++n) {
      const double x = std::sin(0.1 * n), v = std::cos(0.1 * n), late = std::cos(0.1 * n - 0.2);
      control.set("wrench", value(push(size * 50 * std::sin(0.1 * n - 0.2), 0, 0)));
      control.set("position", {size * x, 0, 0});
      control.set("velocity", {size * v, 0, 0});
      control.set("actual_velocity", {size * late, 0, 0});
      control.step();
    }
    dampings.push_back(control.number("damping"));
  }
  EXPECT_GT(dampings[0], 1);
  EXPECT_NEAR(dampings[0], dampings[1], 1e-9);
}

void expect_energies(const char* rule, double (*given_out)(int k, std::size_t axis)) {
  kit::Bench observer(plugin("passivity").type("EnergyObserver"),
                      {.parameters = {{"rule", rule}, {"initial_energy", {1, 2, 3, 4, 5, 6}}},
                       .undriven = {"claimed", "claimed_total"},
                       .period = T});
  Six energy{1, 2, 3, 4, 5, 6};
  for (int k = 0; k < 40; ++k) {
    observer.set("wrench", value(wrench(k)));
    observer.set("twist", value(twist(k)));
    observer.step();
    double total = 0, power = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      total += energy[i] -= T * given_out(k, i);
      power += wrench(k)[i] * twist(k)[i];
      EXPECT_NEAR(observer.number("energy", i), energy[i], 1e-13) << rule << " tick " << k << " axis " << i;
    }
    EXPECT_NEAR(observer.number("total"), total, 1e-12) << rule << " tick " << k;
    EXPECT_NEAR(observer.number("power"), power, 1e-12) << rule << " tick " << k;
  }
}

TEST(EnergyObserver, SumsByEachOfItsRules) {
  expect_energies("backward", [](int k, std::size_t i) { return wrench(k)[i] * twist(k)[i]; });
  expect_energies("forward", [](int k, std::size_t i) { return k == 0 ? 0 : wrench(k - 1)[i] * twist(k - 1)[i]; });
  expect_energies(
      "held", [](int k, std::size_t i) { return k == 0 ? 0 : wrench(k - 1)[i] * (twist(k)[i] + twist(k - 1)[i]) / 2; });
}

/// The word that means the mean of two powers at a power port does not mean something else here.
TEST(EnergyObserver, HasNoTrapezoid) {
  EXPECT_THROW(kit::Bench(plugin("passivity").type("EnergyObserver"), {.parameters = {{"rule", "trapezoid"}}}),
               kit::Impossible);
}

kit::Setup filter(double stiffness) { return {.parameters = {{"initial_stiffness", stiffness}}, .period = T}; }

/// Where nothing has moved, the force says nothing of a stiffness; nor does the beginning of a contact.
TEST(AdaptiveKalmanFilter, LearnsFromMotionInContactAlone) {
  kit::Bench bench(plugin("estimation").type("AdaptiveKalmanFilter"), filter(1000.0));
  double place = 0, force = 5;
  const auto step = [&](double moved, double ticks) {
    place -= moved, force += 3000 * moved;
    bench.set("force", std::vector<double>{force, 0, 0});
    bench.set("position", std::vector<double>{place, 0, 0});
    bench.set("contact_ticks", ticks);
    bench.compute();
    const double found = bench.number("stiffness");
    bench.advance();
    return found;
  };
  const double first = step(0, 10);
  for (int k = 0; k < 5; ++k) {
    force += 1; // noise
    EXPECT_EQ(step(0, 10), first) << "it stands still";
  }
  EXPECT_EQ(step(1e-3, 0), first) << "no contact";
  EXPECT_EQ(step(1e-3, 2), first) << "the beginning of one";
  EXPECT_NE(step(1e-3, 3), first);
}

// A contact that the sensor never reports counts as over after the loop's delay and three ticks more: up to then the
// force may still come.

using Three = std::vector<double>;

/// One tick: along x the speed, the true force on the wall and what is measured and acts on the body.
void see(kit::Bench& bench, double speed, double wall, double force) {
  bench.set("velocity", Three{speed, 0, 0});
  bench.set("wall_force", Three{wall, 0, 0});
  bench.set("measured", Three{force, 0, 0});
  bench.set("applied", Three{force, 0, 0});
}

kit::Bench contact_metrics(double delay) {
  return kit::Bench(
      plugin("contact").type("ContactMetrics"),
      {.parameters = {{"loop_delay", delay}, {"contacts", 1}, {"capacity", 4}},
       .counts = {{"kinetic_energy", 1}},
       .undriven = {"stiffness", "damping", "ideal_contact", "ideal_speed", "ideal_peak", "settled", "stale"},
       .period = T});
}

TEST(ContactMetrics, WaitsTheLoopsDelayAndThreeTicksForAContactThatTheGateDoesNotSee) {
  for (const int delay : {0, 1, 20}) {
    kit::Bench bench = contact_metrics(delay * T);
    for (const double wall : {0.0, 5.0, 5.0}) {
      see(bench, 0.1, wall, 0);
      bench.step();
    }
    see(bench, 0.1, 0, 0);
    for (int quiet = 1; quiet < delay + 3; ++quiet) {
      bench.step();
      EXPECT_EQ(bench.verdict(), HILDA_GO) << delay << " " << quiet;
    }
    bench.step();
    EXPECT_NE(bench.verdict(), HILDA_GO) << delay;
  }
}

/// The force comes in the last of these ticks: the speed after the contact is the one that it makes.
TEST(ContactMetrics, ReadsTheReboundBehindAForceThatComesLate) {
  kit::Bench bench = contact_metrics(0);
  const auto tick = [&](double speed, double wall, double force) {
    see(bench, speed, wall, force);
    bench.set("in_contact", force != 0 ? 1 : 0);
    bench.step();
  };
  tick(0.1, 0, 0), tick(0.1, 5, 0), tick(0.1, 0, 0), tick(0.1, 0, 0), tick(0.1, 0, 5), tick(-0.08, 0, 0);
  constexpr std::size_t after = 2;
  EXPECT_EQ(bench.number("row", after), 0.08);
}

/// A contact that begins while the late sensor still shows the one before it has not been seen itself.
TEST(ContactMetrics, TakesTheForceOfTheContactBeforeForNoSightOfThisOne) {
  kit::Bench bench = contact_metrics(5 * T);
  const auto tick = [&](double speed, double wall, double force) {
    see(bench, speed, wall, force);
    bench.set("in_contact", force != 0 ? 1 : 0);
    bench.step();
  };
  tick(0.1, 0, 0), tick(0.1, 5, 0), tick(-0.1, 0, 0), tick(-0.1, 0, 5);     // the first, and how it is felt
  tick(-0.1, -5, 5), tick(-0.1, 0, 0), tick(-0.1, 0, -5), tick(0.07, 0, 0); // the second
  constexpr std::size_t before = 1, after = 2;
  EXPECT_EQ(bench.number("begun"), 2);
  EXPECT_EQ(bench.number("row", before), 0.1);
  EXPECT_EQ(bench.number("row", after), 0.07);
}

/// Between two ticks from one wall to the other: the speed towards the second is the rebound from the first.
TEST(ContactMetrics, ReadsTheReboundOfAContactThatEndsInTheOtherWall) {
  for (const double side : {1.0, -1.0}) {
    kit::Bench bench = contact_metrics(0);
    for (const auto& [speed, wall] : {std::pair{0.1, 0.0}, {0.1, 5.0}, {-0.08, -5.0}}) {
      see(bench, side * speed, side * wall, 0);
      bench.step();
    }
    constexpr std::size_t rows = 4, before = 1, after = 2, ratio = 5;
    EXPECT_EQ(bench.number("table", before * rows), 0.1) << side;
    EXPECT_EQ(bench.number("table", after * rows), 0.08) << side;
    EXPECT_NEAR(bench.number("table", ratio * rows), 0.8, 1e-15) << side;
  }
}

TEST(RoomMetrics, ReadsTheReboundBehindAForceThatComesLate) {
  kit::Bench bench(plugin("contact").type("RoomMetrics"),
                   {.parameters = {{"mass", 50}, {"stiffness", 2000}, {"capacity", 4}},
                    .undriven = {"kinetic_energy", "settled", "stale"},
                    .period = T});
  const auto tick = [&](double speed, double wall, double force) {
    see(bench, speed, wall, force);
    bench.step();
  };
  tick(0.1, 0, 0), tick(0.1, 5, 0), tick(0.1, 0, 0), tick(0.1, 0, 0), tick(0.1, 0, -5), tick(-0.08, 0, 0);
  constexpr std::size_t rows = 4, after = 3;
  EXPECT_EQ(bench.number("table", after * rows), 0.08);
}

} // namespace
} // namespace hilda::test
