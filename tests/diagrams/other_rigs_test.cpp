// SPDX-License-Identifier: BSD-3-Clause
// Hexapod and air-bearing table instead of the robot: PIDA and TDPA run on them without a change of the diagram. The
// hexapod does what the robot does; the vehicle on the table does what a free body between two walls does.

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

using Settings = std::vector<std::string>;

DiagramRun run(const std::string& diagram, const std::string& rig, Settings settings, Settings observed = {},
               double duration = 60.0) {
  DiagramRun result = run_diagram({diagram, std::move(settings), std::move(observed), duration, rig});
  EXPECT_EQ(result.errors, "") << diagram << " on " << rig;
  return result;
}

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// Every figure of every contact; b is `later`, s, at all of them.
void expect_alike(const DiagramRun& a, const DiagramRun& b, double tolerance, const std::string& what,
                  double later = 0) {
  ASSERT_EQ(a.contacts().size(), b.contacts().size()) << what;
  ASSERT_FALSE(a.contacts().empty()) << what;
  for (std::size_t i = 0; i < a.contacts().size(); ++i) {
    EXPECT_NEAR(b.contacts()[i].at("time"), a.contacts()[i].at("time") + later, 3e-3) << what << " contact " << i + 1;
    for (const char* figure : {"speed_before", "speed_after", "cof", "energy_ratio"})
      EXPECT_NEAR(b.contacts()[i].at(figure) / a.contacts()[i].at(figure), 1, tolerance)
          << what << " contact " << i + 1 << " " << figure;
  }
}

struct Scenario {
  const char* diagram;
  const char* robot;
  Settings settings;
  double later = 0; ///< s: a robot that follows the twist begins where it is commanded, not a dead time behind
};
const Scenario scenarios[] = {
    {"pida", "two_walls", {"contacts=5"}},
    {"dac", "two_walls", {"contacts=3", "start=4 mm", "damping=50 N s/m"}},
    {"uncompensated", "two_walls", {"contacts=3", "stiffness=20 N/mm"}},
    {"pida_oblique", "two_walls", {"contacts=5"}},
    {"tdpa", "room", {"contacts=6", "velocity=0.1 0.05 0 m/s", "angular_velocity=0 0 0 rad/s"}, 10e-3}};

/// With a dead time alone: the pose that comes out is the commanded one, late.
TEST(Hexapod, TouchesAsTheRobotDoes) {
  for (const Scenario& s : scenarios)
    for (const char* period : {"0.5 ms", "1 ms", "2 ms"}) {
      const Settings settings = with(s.settings, {std::string("period=") + period});
      expect_alike(run(s.diagram, s.robot, settings), run(s.diagram, "hexapod", settings), 2e-4,
                   std::string(s.diagram) + ", " + period, s.later);
    }
}

/// With a second order the legs filter lengths and not the pose: the same to the first order of the motion.
TEST(Hexapod, HasTheBandwidthOfTheRobot) {
  for (const char* diagram : {"pida", "pida_oblique", "uncompensated"}) {
    const Settings settings = {"contacts=3", "natural_frequency=15 Hz", "response_delay=8 ms", "stiffness=20 N/mm"};
    const DiagramRun robot = run(diagram, "two_walls", settings), legs = run(diagram, "hexapod", settings);
    expect_alike(robot, legs, 5e-3, diagram);
    const DiagramRun fast = run(diagram, "hexapod", with(settings, {"natural_frequency=60 Hz"}));
    EXPECT_GT(std::abs(fast.contacts()[1].at("time") - legs.contacts()[1].at("time")), 1e-3)
        << diagram << ": the frequency matters";
  }
}

/// Forces of the legs times their rates are the power of the wrench with the other sign, at every tick of oblique
/// contacts.
TEST(Hexapod, ItsLegsDoTheWorkOfTheContact) {
  const DiagramRun r = run("pida_oblique", "hexapod", {"contacts=4"},
                           {"rig.loads.forces", "rig.legs.rate", "rig.room.wrench", "rig.robot.twist"});
  double largest = 0;
  const std::size_t ticks = r.signals.at("rig.loads.forces").size() / 6;
  for (std::size_t k = 0; k < ticks; ++k) {
    double legs = 0, wrench = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      legs += r.at("rig.loads.forces", k, 6, i) * r.at("rig.legs.rate", k, 6, i);
      wrench += r.at("rig.room.wrench", k, 6, i) * r.at("rig.robot.twist", k, 6, i);
    }
    EXPECT_NEAR(legs, -wrench, 1e-10) << k;
    largest = std::max(largest, std::abs(wrench));
  }
  EXPECT_GT(largest, 0.1) << "it touches";
}

TEST(Hexapod, EndsTheRunWhereALegIsTooFast) {
  const DiagramRun r = run("uncompensated", "hexapod", {"contacts=50"});
  EXPECT_EQ(r.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(r.ending.block, "rig.inverse");
  EXPECT_NE(r.ending.text.find("would be faster than 'fastest'"), std::string::npos) << r.ending.text;
  const DiagramRun kept =
      run("uncompensated", "hexapod", {"contacts=4", "rig.fastest=0.05 m/s", "rig.at_limit=saturate"});
  EXPECT_NE(kept.ending.kind, Ending::Kind::failed);
  EXPECT_GT(kept.figures.at("legs.limited_ticks"), 0);
}

/// At its first tick, too: no block behind the legs fails in its place.
TEST(Hexapod, NamesTheLegThatIsTooLongAtTheStart) {
  const DiagramRun r = run("pida", "hexapod", {"rig.longest=1.3 m"});
  EXPECT_EQ(r.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(r.ending.block, "rig.inverse");
  EXPECT_EQ(r.ending.time, 0);
}

/// A vehicle that nothing leads between two walls: free flight and half sines. `pida`'s command only starts it.
TEST(AirBearing, ReboundsAsAFreeBody) {
  for (const double period : {0.25e-3, 0.5e-3, 1e-3})
    for (const double mass : {100.0, 280.0, 600.0}) {
      const double speed = 0.02, half = 0.015, k = 20e3, w = std::sqrt(k / mass);
      const DiagramRun r = run("pida", "air_bearing",
                               {"period=" + std::to_string(period), "rig.mass=" + std::to_string(mass) + " kg",
                                "rig.tracking_frequency=0 rad/s", "rig.coulomb=0", "rig.viscous=0 N s/m",
                                "rig.tilt=0 rad", "stiffness=20 N/mm", "contacts=0"},
                               {"rig.robot.pose", "rig.robot.kinetic_energy"}, 8.0);
      const std::size_t ticks = r.signals.at("rig.robot.pose").size() / 7;
      const double contact = M_PI / w, flight = 2 * half / speed;
      for (std::size_t i = 0; i < ticks; ++i) {
        double t = static_cast<double>(i) * period + flight / 2; // from the wall at -half
        const auto turn = static_cast<int>(t / (flight + contact));
        t -= turn * (flight + contact);
        const double x = t < flight ? -half + speed * t : half + speed / w * std::sin(w * (t - flight));
        EXPECT_NEAR(r.at("rig.robot.pose", i, 7), turn % 2 == 0 ? x : -x, 40 * speed * period) << mass << " " << i;
      }
      EXPECT_NEAR(r.at("rig.robot.kinetic_energy", 0), 0.5 * mass * speed * speed, 1e-12);
    }
}

/// Coulomb's friction takes mu m g a metre, wall or not; slope and spring give back what they took.
TEST(AirBearing, LosesWhatFrictionTakesAlongItsPath) {
  const double mass = 280, mu = 2e-4;
  const DiagramRun r =
      run("pida", "air_bearing",
          {"rig.tracking_frequency=0 rad/s", "rig.coulomb=2e-4", "rig.viscous=0 N s/m", "rig.tilt=20 urad",
           "rig.downhill=0.3 1 0", "contacts=0", "stiffness=20 N/mm"},
          {"rig.robot.pose", "rig.robot.lost", "rig.robot.kinetic_energy", "rig.robot.potential_energy"}, 6.0);
  const std::size_t ticks = r.signals.at("rig.robot.lost").size();
  double path = 0;
  for (std::size_t i = 1; i < ticks; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double way = r.at("rig.robot.pose", i, 7, j) - r.at("rig.robot.pose", i - 1, 7, j);
      square += way * way;
    }
    path += std::sqrt(square);
    EXPECT_NEAR(r.at("rig.robot.lost", i), mu * mass * 9.81 * std::cos(20e-6) * path, 2e-5) << i;
    const double depth = std::max(0.0, std::abs(r.at("rig.robot.pose", i, 7)) - 0.015);
    const double energy = r.at("rig.robot.lost", i) + r.at("rig.robot.kinetic_energy", i) +
                          r.at("rig.robot.potential_energy", i) + 0.5 * 20e3 * depth * depth;
    EXPECT_NEAR(energy, 0.5 * mass * 4e-4, 1e-3 * 0.5 * mass * 4e-4 + (depth > 0 ? 3e-4 : 0)) << i;
  }
  EXPECT_GT(path, 0.05);
}

/// Thrusters of m wn^2 and 2 m xi wn are a second order: how far friction holds the vehicle back behind a steady
/// command.
TEST(AirBearing, IsLedAfterTheCommandByASecondOrder) {
  const double wn = 2.5, xi = 0.4, speed = 0.02;
  const double c = 20, mass = 50;
  const DiagramRun r =
      run("tdpa", "air_bearing",
          {"velocity=0.02 0 0 m/s", "angular_velocity=0 0 0 rad/s", "half_size=100 m", "rotational_half_size=100 rad",
           "rig.mass=50 kg", "rig.tracking_frequency=2.5 rad/s", "rig.tracking_damping=0.4", "rig.coulomb=0",
           "rig.viscous=20 N s/m", "rig.tilt=0 rad", "rig.most_force=1000 N", "response_delay=0 ms", "duration=6 s"},
          {"rig.robot.pose"}, 6.0);
  const std::size_t ticks = r.signals.at("rig.robot.pose").size() / 7;
  double e = 0, de = 0; // command minus vehicle: e'' + 2 xi wn e' + wn^2 e = c (speed - e') / m, by small steps
  for (std::size_t i = 0; i < ticks; ++i) {
    EXPECT_NEAR(speed * 1e-3 * static_cast<double>(i) - r.at("rig.robot.pose", i, 7), e, 3e-5) << i;
    for (int s = 0; s < 50; ++s) {
      de += 2e-5 * (c * (speed - de) / mass - 2 * xi * wn * de - wn * wn * e);
      e += 2e-5 * de;
    }
  }
  EXPECT_NEAR(e, c * speed / mass / (wn * wn), 2e-5) << "friction's force over the spring";
}

/// With the mass of the simulated motion a contact needs no compensation; PIDA and TDPA leave it alone.
TEST(AirBearing, OfTheRightMassKeepsTheEnergyOfContacts) {
  for (const char* period : {"0.5 ms", "1 ms", "2 ms"})
    for (const char* diagram : {"pida", "dac", "pida_ledger"}) {
      const DiagramRun r = run(diagram, "air_bearing", {"contacts=10", std::string("period=") + period});
      ASSERT_EQ(r.contacts().size(), 10u) << diagram << " " << period << " " << r.ending.text;
      for (const DiagramRun::Row& contact : r.contacts())
        EXPECT_NEAR(contact.at("energy_ratio"), 1, 0.02) << diagram << " " << period;
    }
  for (const char* spin : {"0 0 0 rad/s", "0 0 0.03 rad/s"}) {
    const DiagramRun r = run("tdpa", "air_bearing",
                             {"contacts=10", "velocity=0.1 0.15 0 m/s", std::string("angular_velocity=") + spin,
                              "rig.mass=50 kg", "rig.inertia=22 kg m2"});
    ASSERT_EQ(r.contacts().size(), 10u) << spin;
    for (const DiagramRun::Row& contact : r.contacts()) EXPECT_NEAR(contact.at("cor"), 1, 0.01) << spin;
  }
}

/// PIDA computes the force at the commanded place: it corrects a vehicle that is too heavy, which alone gains energy.
TEST(AirBearing, OfTheWrongMassGainsOrLosesEnergy) {
  const auto energy = [](const char* diagram, const char* mass) {
    return run(diagram, "air_bearing", {"contacts=3", std::string("rig.mass=") + mass})
        .contacts()
        .back()
        .at("energy_ratio");
  };
  EXPECT_GT(energy("uncompensated", "1000 kg"), 10);
  EXPECT_NEAR(energy("pida", "1000 kg"), 1, 0.02);
  EXPECT_LT(energy("uncompensated", "200 kg"), 0.1);
}

TEST(AirBearing, SaysHowFarTheCommandLeftItsPlane) {
  const DiagramRun r = run("tdpa", "air_bearing", {"contacts=0", "rig.mass=50 kg"}, {"rig.robot.pose"}, 3.0);
  EXPECT_NEAR(r.figures.at("tracking.command_out_of_plane"), 0.2 * 3.0, 2e-3);
  EXPECT_GT(r.figures.at("tracking.command_turned_out_of_plane"), 0.05);
  const std::size_t ticks = r.signals.at("rig.robot.pose").size() / 7;
  for (std::size_t i = 0; i < ticks; ++i) EXPECT_NEAR(r.at("rig.robot.pose", i, 7, 2), 0, 1e-15);
}

} // namespace
} // namespace hilda::test
