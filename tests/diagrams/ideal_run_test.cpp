// SPDX-License-Identifier: BSD-3-Clause
// The scenario without delay, against the closed form of a bounce and against what motion conserves.

#include "blocks/contact/dormand_prince_8.h"
#include "tests/diagrams/diagram_run.h"

#include <array>
#include <cmath>
#include <complex>
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
Figures of(const std::string& parameters, const std::string& wall, std::int64_t contacts,
           const std::string& period = "1 ms") {
  std::string diagram = alone(parameters, wall, contacts);
  diagram.replace(diagram.find("1 ms"), 4, period);
  const DiagramRun r = run_diagram({diagram,
                                    {},
                                    {"ideal.contact", "ideal.speed_before", "ideal.speed_after", "ideal.peak_force"},
                                    contacts > 100 ? 6.0 : 2.0});
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

/// A step of phi rad multiplies an oscillation by R(i phi), of which the method's coefficients make the polynomial R:
/// so a contact without damping, pi rad, loses a known part of its speed. One step that is longer, or anything that is
/// located badly, shows here long before it does in a single contact.
TEST(IdealRun, LosesPerContactWhatItsOrderAndItsStepSayWhateverThePeriod) {
  namespace method = dormand_prince_8;
  constexpr double phase = 0.4; // rad a step
  const auto kept = [](double phi) {
    std::array<double, method::stages> power;
    power.fill(1.0);
    std::complex<double> sum = 1.0, z = 1.0;
    for (std::size_t n = 0; n < method::stages; ++n) {
      z *= std::complex<double>(0.0, phi);
      double part = 0.0;
      for (std::size_t i = 0; i < method::stages; ++i) part += method::weights[method::stages - 1][i] * power[i];
      sum += part * z;
      for (std::size_t i = method::stages; i-- > 0;) {
        double next = 0.0;
        for (std::size_t j = 0; j < i; ++j) next += method::weights[i - 1][j] * power[j];
        power[i] = next;
      }
    }
    return std::abs(sum);
  };
  const int whole = static_cast<int>(std::numbers::pi / phase);
  const double a_contact = std::pow(kept(phase), whole) * kept(std::numbers::pi - whole * phase);
  EXPECT_LT(1.0 - a_contact, 3e-11);

  const std::string wall = "stiffness=\"" + number(400.0 * m) + " N/m\""; // 20 rad/s
  constexpr std::int64_t contacts = 1000;
  const Figures f = of("velocity=\"0.02 0 0 m/s\"", wall, contacts);
  ASSERT_EQ(f.contact, static_cast<double>(contacts));
  const double lost = 1.0 - f.after / 0.02, due = 1.0 - std::pow(a_contact, contacts);
  EXPECT_NEAR(lost / due, 1.0, 0.02);
  for (const char* period : {"0.75 ms", "3 ms", "40 ms"}) {
    const Figures other = of("velocity=\"0.02 0 0 m/s\"", wall, contacts, period);
    EXPECT_EQ(other.after, f.after) << period;
    EXPECT_EQ(other.peak, f.peak) << period;
  }
}

/// A second plane that is touched for 0.03 rad of the first one's oscillation: in the middle of a step, at both ends of
/// which it is free.
TEST(IdealRun, SeesAContactThatIsShorterThanItsStep) {
  const double w = std::sqrt(k / m), speed = 0.02, deep = (1.0 - 1e-4) * speed / w, second = 1e4 * k;
  const std::string rows = "0 0 0 0 1 0 0 0.015 " + number(k) + " 0 0; 0 0 0 0 1 0 0 " + number(0.015 + deep) + " " +
                           number(second) + " 0 0";
  std::string diagram = alone("velocity=\"0.02 0 0 m/s\"", "", 1);
  const std::string wire = "<connect from=\"wall.walls\" to=\"ideal.walls\"/>";
  diagram.replace(diagram.find(wire), wire.size(),
                  "<block name=\"both\" type=\"sources/Constant\" value=\"" + rows +
                      "\"/><connect from=\"both.y\" to=\"ideal.walls\"/>");
  const DiagramRun r = run_diagram({diagram, {}, {"ideal.contact", "ideal.speed_after", "ideal.peak_force"}, 0.03});
  ASSERT_EQ(r.errors, "");
  const auto last = static_cast<std::size_t>(r.steps) - 1;
  ASSERT_EQ(r.at("ideal.contact", last), 1.0);
  EXPECT_NEAR(r.at("ideal.speed_after", last), speed, 1e-9 * speed);
  // Both springs' energy at rest: k (deep + x)^2 + second x^2 = m speed^2
  const double a = k + second, b = k * deep, c = k * deep * deep - m * speed * speed;
  const double x = (-b + std::sqrt(b * b - a * c)) / a;
  EXPECT_NEAR(r.at("ideal.peak_force", last) / std::max(second * x, k * (deep + x)), 1.0, 1e-8);
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

/// A row of `walls` that no rig gives: no element, one that pulls, one without a direction, one beyond all measure.
/// -1: there will be none; 0: the search continues, a bounded share of it each tick.
TEST(IdealRun, HasNoContactWithWallsThatMakeNoSense) {
  const std::pair<const char*, double> rows[] = {
      {"0 0 0 0 1 0 0 0.015 0 0 0", -1.0},   {"0 0 0 0 1 0 0 0.015 -1e5 0 0", -1.0},
      {"0 0 0 0 0 0 0 0.015 1e5 0 0", -1.0}, {"0 0 0 0 1 0 0 1e300 1e5 0 0", 0.0},
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
