// The scenario without delay, against the closed form of a bounce and against what motion conserves.

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <utility>

namespace hilda::test {
namespace {

constexpr double k = 176275.0, m = 300.0 * 4000.0 / 4300.0;

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// The ideal run alone, asked for one contact after the other.
std::string alone(const std::string& parameters, const std::string& wall, std::int64_t contacts) {
  return "<diagram format=\"1\" name=\"alone\" period=\"1 ms\"><block name=\"tip\" type=\"sources/Constant\" "
         "value=\"0 0 0 m\"/><block name=\"still\" type=\"sources/Constant\" value=\"0 0 0 m/s\"/>"
         "<block name=\"wall\" type=\"contact/Wall\" " +
         wall +
         "/><block name=\"ideal\" type=\"contact/IdealRun\" service_mass=\"300\" target_mass=\"4000\" "
         "service_inertia=\"98\" target_inertia=\"3684\" " +
         parameters + "/><block name=\"wanted\" type=\"sources/Constant\" value=\"" + std::to_string(contacts) +
         "\"/><block name=\"whole\" type=\"math/RealToInteger\"/>"
         "<connect from=\"tip.y\" to=\"wall.position\"/><connect from=\"still.y\" to=\"wall.velocity\"/>"
         "<connect from=\"wall.walls\" to=\"ideal.walls\"/><connect from=\"wanted.y\" to=\"whole.u\"/>"
         "<connect from=\"whole.y\" to=\"ideal.wanted\"/></diagram>";
}

struct Figures {
  double contact, before, after, peak;
};
Figures of(const std::string& parameters, const std::string& wall, std::int64_t contacts) {
  const DiagramRun r = run_diagram({alone(parameters, wall, contacts),
                                    {},
                                    {"ideal.contact", "ideal.speed_before", "ideal.speed_after", "ideal.peak_force"},
                                    2.0});
  EXPECT_EQ(r.errors, "");
  const auto last = static_cast<std::size_t>(r.steps) - 1;
  return {r.at("ideal.contact", last), r.at("ideal.speed_before", last), r.at("ideal.speed_after", last),
          r.at("ideal.peak_force", last)};
}

TEST(IdealRun, KeepsSpeedAndPeakOverAThousandContacts) {
  for (const double speed : {1e-4, 0.02, 5.0, 1000.0})
    for (const std::int64_t contact : {1, 2, 149, 1000}) {
      const Figures f = of("velocity=\"" + number(speed) + " 0 0 m/s\"", "", contact);
      EXPECT_EQ(f.contact, static_cast<double>(contact));
      EXPECT_NEAR(f.after / speed, 1.0, 1e-9 * static_cast<double>(contact)) << speed << " " << contact;
      EXPECT_NEAR(f.peak / (speed * std::sqrt(k * m)), 1.0, 1e-9 * static_cast<double>(contact)) << speed;
    }
}

/// The method of order 5 multiplies an oscillation by |R(i phi)| = 1 - phi^6/3600 in a step of phi rad (its stability
/// function), so a contact without damping loses pi phi^5/3600 of its speed, at most. A step is the loop's period, and
/// 0.03 rad at most: one that is longer shows here long before it does in a single contact.
TEST(IdealRun, LosesPerContactWhatItsOrderAndItsStepSay) {
  constexpr double quickness = 20.0, longest = 0.03; // rad/s, rad
  const std::string wall = "stiffness=\"" + number(quickness * quickness * m) + " N/m\"";
  for (const double period : {0.75e-3, 1e-3, 1.5e-3, 3e-3}) {
    constexpr std::int64_t contacts = 1000;
    std::string diagram = alone("velocity=\"0.02 0 0 m/s\"", wall, contacts);
    diagram.replace(diagram.find("1 ms"), 4, number(1e3 * period) + " ms");
    const DiagramRun r = run_diagram({diagram, {}, {"ideal.contact", "ideal.speed_after"}, 2.0});
    ASSERT_EQ(r.errors, "");
    const auto last = static_cast<std::size_t>(r.steps) - 1;
    ASSERT_EQ(r.at("ideal.contact", last), static_cast<double>(contacts));
    const double lost = 1.0 - r.at("ideal.speed_after", last) / 0.02, phi = std::min(longest, quickness * period);
    const double ratio = lost / (contacts * std::numbers::pi * std::pow(phi, 5) / 3600.0);
    EXPECT_LT(ratio, 1.1) << period;
    EXPECT_GT(ratio, phi < longest ? 0.0 : 0.9) << period; // a second error hides in what the shorter steps leave
  }
}

TEST(IdealRun, FollowsADampedWallInClosedForm) {
  for (const double c : {1.0, 100.0, 2000.0}) {
    const double w = std::sqrt(k / m), a = c / (2 * m), wd = std::sqrt(w * w - a * a);
    const double restitution = std::exp(-a * 2.0 * std::atan2(wd, a) / wd);
    // the largest of F(t) = m w e^(-at) (...) on a fine grid
    double peak = 0.0;
    for (int i = 0; i <= 200000; ++i) {
      const double t = i * 1e-6, e = std::exp(-a * t), s = std::sin(wd * t) / wd;
      peak = std::max(peak, k * e * s + c * e * (std::cos(wd * t) - a * s));
    }
    for (const std::int64_t contact : {1, 2, 20}) {
      if (std::pow(restitution, contact) < 1e-3) continue; // positions of 15 mm have no more digits
      const Figures f = of("velocity=\"0.02 0 0 m/s\"", "damping=\"" + number(c) + " N s/m\"", contact);
      const double n = static_cast<double>(contact), before = 0.02 * std::pow(restitution, n - 1);
      EXPECT_NEAR(f.before / before, 1.0, 1e-9 * n) << c << " " << contact;
      EXPECT_NEAR(f.after / (before * restitution), 1.0, 1e-9 * n) << c << " " << contact;
      EXPECT_NEAR(f.peak / (before * peak), 1.0, 1e-9 * n) << c << " " << contact;
    }
  }
}

TEST(IdealRun, KnowsNoHorizonAndSaysSoWhereThereIsNoContact) {
  // flights of 1500 s
  EXPECT_NEAR(of("velocity=\"1e-5 0 0 m/s\"", "", 3).after, 1e-5, 1e-14);
  EXPECT_EQ(of("velocity=\"0 0.02 0 m/s\"", "", 1).contact, -1.0); // along the walls, for ever
  EXPECT_EQ(of("velocity=\"0 0 0 m/s\"", "", 1).contact, -1.0);
}

TEST(IdealRun, DoesNotDependOnThePeriodOrTheFrame) {
  const std::string oblique = "service_offset=\"0.3 0.2 -0.1\" target_offset=\"-0.8 0.1 0.2\" "
                              "angular_velocity=\"0.02 -0.01 0.03\" target_angular_velocity=\"0.001 0.002 -0.001\" ";
  const std::string wall = "normal=\"0.8 0.6 0\" damping=\"50 N s/m\"";
  const Figures here = of(oblique + "velocity=\"0.016 0.012 0 m/s\"", wall, 4);
  const Figures there = of(oblique + "velocity=\"1.016 0.012 -2 m/s\" target_velocity=\"1 0 -2 m/s\"", wall, 4);
  EXPECT_EQ(here.contact, 4.0);
  EXPECT_NEAR(there.after / here.after, 1.0, 1e-8);
  EXPECT_NEAR(there.peak / here.peak, 1.0, 1e-8);
}

/// A row of `walls` that no rig tells: no element, one that pulls, one without a direction, one beyond all measure.
/// -1: there will be none; 0: the search goes on, a bounded share of it each tick.
TEST(IdealRun, HasNoContactWithWallsThatMakeNoSense) {
  const std::pair<const char*, double> rows[] = {
      {"0 0 0 0 1 0 0 0.015 0 0 0", -1.0},   {"0 0 0 0 1 0 0 0.015 -1e5 0 0", -1.0},
      {"0 0 0 0 0 0 0 0.015 1e5 0 0", 0.0},  {"0 0 0 0 1 0 0 1e300 1e5 0 0", -1.0},
      {"7 0 0 0 0 0 0 0.015 1e5 0 0", -1.0}, {"0 0 0 0 1 0 0 0.015 1e300 1e300 1e300", 0.0}};
  for (const auto& [row, contact] : rows) {
    std::string diagram = alone("velocity=\"0.02 0 0 m/s\"", "", 1);
    const std::string wire = "<connect from=\"wall.walls\" to=\"ideal.walls\"/>";
    diagram.replace(diagram.find(wire), wire.size(),
                    "<block name=\"odd\" type=\"sources/Constant\" value=\"" + std::string(row) + "; " + row +
                        "\"/><connect from=\"odd.y\" to=\"ideal.walls\"/>");
    const DiagramRun r = run_diagram({diagram, {}, {"ideal.contact", "ideal.speed_after", "ideal.peak_force"}, 0.03});
    EXPECT_EQ(r.errors, "") << row;
    const auto last = static_cast<std::size_t>(r.steps) - 1;
    ASSERT_EQ(r.steps, 30) << row;
    EXPECT_EQ(r.at("ideal.contact", last), contact) << row;
    EXPECT_EQ(r.at("ideal.speed_after", last), 0.0) << row;
    EXPECT_EQ(r.at("ideal.peak_force", last), 0.0) << row;
  }
}

} // namespace
} // namespace hilda::test
