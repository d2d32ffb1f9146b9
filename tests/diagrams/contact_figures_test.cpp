// SPDX-License-Identifier: BSD-3-Clause
// The table of contacts: every contact is counted, however late, short or fast, and no figure ends a run.

#include "tests/diagrams/diagram_run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>
#include <random>

namespace hilda::test {
namespace {

DiagramRun run(const std::string& diagram, std::vector<std::string> settings, std::vector<std::string> observed = {},
               double duration = 60.0) {
  DiagramRun result = run_diagram({diagram, std::move(settings), std::move(observed), duration});
  EXPECT_EQ(result.errors, "");
  return result;
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// Contacts that have ended, from the true wall force of each tick alone: `width` numbers a tick, x first.
std::size_t counted(const std::vector<double>& force, std::size_t width) {
  std::size_t ended = 0;
  double before = 0.0;
  for (std::size_t i = 0; i < force.size(); i += width) {
    const double now = std::abs(force[i]) > 1e-9 ? force[i] : 0.0;
    if (before != 0.0 && now * before <= 0.0) ++ended;
    before = now;
  }
  return ended;
}

std::string connect(const std::string& from, const std::string& to) {
  return "<connect from=\"" + from + "\" to=\"" + to + "\"/>";
}

/// A rod that is moved between two walls as `frequency` says, whatever it meets: x = offset + amplitude sin.
std::string prescribed(double frequency, double amplitude, double offset, double delay, double sensor_delay, bool truth,
                       const std::string& more = "", const std::string& metrics = "") {
  const double w = 2.0 * 3.14159265358979312 * frequency;
  return "<diagram format=\"1\" name=\"prescribed\" period=\"1 ms\">"
         "<block name=\"x\" type=\"sources/Sine\" amplitude=\"" +
         number(amplitude) + " 0 0 m\" bias=\"" + number(offset) + " 0 0 m\" frequency=\"" + number(w) +
         " rad/s\"/><block name=\"v\" type=\"sources/Sine\" amplitude=\"" + number(amplitude * w) +
         " 0 0 m/s\" phase=\"90 deg\" frequency=\"" + number(w) +
         " rad/s\"/><block name=\"turn\" type=\"sources/Constant\" value=\"0 0 0 rad\"/>"
         "<block name=\"spin\" type=\"sources/Constant\" value=\"0 0 0 rad/s\"/>"
         "<block name=\"pose\" type=\"kinematics/MakePose\"/><block name=\"twist\" type=\"kinematics/MakeTwist\"/>"
         "<block name=\"robot\" type=\"dynamics/RobotSink\" response_delay=\"" +
         number(delay) +
         " s\"/><block name=\"rod\" type=\"kinematics/PointMotion\" point=\"0 0 0 m\"/>"
         "<block name=\"wall\" type=\"contact/Wall\"/><block name=\"sensor\" type=\"contact/SensorSource\" "
         "sensor_delay=\"" +
         number(sensor_delay) +
         " s\"/><block name=\"gate\" type=\"contact/ContactGate\"/>"
         "<block name=\"metrics\" type=\"contact/ContactMetrics\" capacity=\"4000\" loop_delay=\"" +
         number(delay + sensor_delay) + " s\" " + metrics + "/>" + connect("x.y", "pose.position") +
         connect("turn.y", "pose.rotation") + connect("v.y", "twist.linear") + connect("spin.y", "twist.angular") +
         connect("pose.pose", "robot.command_pose") + connect("twist.twist", "robot.command_twist") +
         connect("robot.pose", "rod.pose") + connect("robot.twist", "rod.twist") +
         connect("rod.position", "wall.position") + connect("rod.velocity", "wall.velocity") +
         connect("wall.on_wall", "sensor.wrench") + connect("sensor.measured", "gate.measured") +
         connect("v.y", "metrics.velocity") + connect("sensor.measured.force", "metrics.measured") +
         connect("sensor.measured.force", "metrics.applied") + connect("gate.in_contact", "metrics.in_contact") +
         (truth ? connect("wall.on_wall.force", "metrics.wall_force") : "") + more + "</diagram>";
}

TEST(Contacts, OfAPrescribedMotionAreAllCountedAtEveryDelay) {
  for (int delay = 0; delay <= 100; ++delay) {
    const double frequency = 11.0 + 0.37 * delay; // 90 to 20 ticks a period
    const DiagramRun r = run(prescribed(frequency, 0.02, 0.0, delay * 1e-3, (delay % 7) * 3e-3, true), {},
                             {"wall.on_wall"}, 520.0 / frequency);
    const std::size_t expected = counted(r.signals.at("wall.on_wall"), 6);
    EXPECT_GE(expected, 1000u) << delay;
    EXPECT_EQ(r.contacts().size(), expected) << delay << " ms";
  }
}

TEST(Contacts, HoweverShortContactAndFlightAreCounted) {
  std::mt19937 random(20261122);
  std::uniform_real_distribution<double> pick(0.0, 1.0);
  for (int i = 0; i < 60; ++i) {
    const double frequency = 5.0 * std::pow(40.0, pick(random)); // to 200 Hz: 5 ticks a period
    const double amplitude = 0.0151 + 0.1 * pick(random), offset = 0.02 * (pick(random) - 0.5);
    const double delay = std::floor(100.0 * pick(random)) * 1e-3, late = std::floor(20.0 * pick(random)) * 1e-3;
    const DiagramRun r =
        run(prescribed(frequency, amplitude, offset, delay, late, true), {}, {"wall.on_wall"}, 100.0 / frequency + 0.2);
    EXPECT_EQ(r.contacts().size(), counted(r.signals.at("wall.on_wall"), 6))
        << i << ": " << frequency << " Hz, " << amplitude << " m, " << offset << " m, " << delay << " s, " << late;
  }
}

/// A force across the normal, with a little of it along, is none of these walls: the motion shows which one is near.
TEST(Contacts, WhoseForceLiesAcrossTheNormalAreMetInTheDirectionOfMotion) {
  for (const char* speed : {"-0.5", "0.5"})
    for (const char* force : {"10 100 0 N", "-10 100 0 N"}) {
      const DiagramRun r = run(
          std::string("<diagram format=\"1\" name=\"across\" period=\"1 ms\"><block name=\"v\" "
                      "type=\"sources/Constant\" value=\"") +
              speed + " 0 0 m/s\"/><block name=\"f\" type=\"sources/Pulse\" width=\"20 ms\" first=\"50 ms\" high=\"" +
              force +
              "\"/><block name=\"n\" type=\"math/Norm\"/><block name=\"on\" type=\"math/Compare\" "
              "operation=\"greater\" "
              "with=\"1 N\"/><block name=\"m\" type=\"contact/ContactMetrics\"/>" +
              connect("f.y", "n.u") + connect("n.y", "on.a") + connect("on.y", "m.in_contact") +
              connect("v.y", "m.velocity") + connect("f.y", "m.measured") + connect("f.y", "m.applied") +
              connect("f.y", "m.wall_force") + "</diagram>",
          {}, {}, 0.2);
      ASSERT_EQ(r.contacts().size(), 1u);
      EXPECT_EQ(r.contacts()[0].at("speed_before"), 0.5) << speed << " " << force;
    }
}

TEST(Contacts, AreCountedByTheGateWhereTheTrueForceIsNotKnown) {
  for (int delay = 0; delay <= 100; delay += 7) {
    const DiagramRun r = run(prescribed(10.0, 0.02, 0.0, delay * 1e-3, 2e-3, false), {}, {"sensor.measured"}, 20.0);
    const std::size_t expected = counted(r.signals.at("sensor.measured"), 6);
    EXPECT_GE(expected, 390u);
    // the last contact counts once the gate has been open for three ticks
    EXPECT_NEAR(static_cast<double>(r.contacts().size()), static_cast<double>(expected), 1.0) << delay;
  }
}

/// Each day another fifth of the delays, and all of them where HILDA_LONG is set (on 2026-11-22: 101 of 101).
TEST(Contacts, OfPidaAreAllCountedAtEveryDelay) {
  const bool all = std::getenv("HILDA_LONG") != nullptr;
  const auto day = static_cast<int>(std::time(nullptr) / 86400);
  for (int delay = all ? 0 : day % 5; delay <= 100; delay += all ? 1 : 5) {
    const DiagramRun r = run("pida", {"response_delay=" + std::to_string(delay) + "ms", "contacts=1000", "speed=1 m/s"},
                             {"rig.wall.on_wall"}, 1000.0);
    EXPECT_EQ(r.contacts().size(), 1000u) << delay;
    EXPECT_EQ(counted(r.signals.at("rig.wall.on_wall"), 6), 1000u) << delay;
    EXPECT_TRUE(std::isfinite(r.contacts().back().at("cov"))) << delay;
  }
}

TEST(Contacts, OfALoopThatDivergesAreCountedAndTheRunEndsThere) {
  for (const char* delay : {"20ms", "28ms", "40ms", "50ms", "100ms"}) {
    const DiagramRun r =
        run("uncompensated", {std::string("response_delay=") + delay, "contacts=0"}, {"rig.wall.on_wall"});
    EXPECT_EQ(r.ending.kind, Ending::Kind::failed);
    EXPECT_NE(r.ending.text.find("the loop diverged at"), std::string::npos) << r.ending.text;
    EXPECT_GT(r.ending.value, 1e12);
    EXPECT_LT(r.ending.value, 1e15) << "it ends at once";
    const auto under_way =
        static_cast<std::size_t>(r.at("rig.wall.on_wall", static_cast<std::size_t>(r.steps) - 1, 6) != 0);
    EXPECT_EQ(r.contacts().size(), counted(r.signals.at("rig.wall.on_wall"), 6) + under_way) << delay;
    EXPECT_GT(r.contacts().size(), 4u) << delay;
    for (std::size_t i = 0; i + 1 < r.contacts().size(); ++i)
      EXPECT_TRUE(std::isfinite(r.contacts()[i].at("cov"))) << i;
  }
}

TEST(Contacts, OfAFastLoopAreCounted) {
  for (const char* speed : {"0.5 m/s", "5 m/s", "50 m/s"}) {
    const DiagramRun r = run("uncompensated", {"response_delay=20ms", std::string("speed=") + speed, "contacts=5"},
                             {"rig.wall.on_wall"});
    EXPECT_EQ(r.contacts().size(), 5u) << speed;
    EXPECT_EQ(counted(r.signals.at("rig.wall.on_wall"), 6), 5u) << speed;
    const bool inside = std::string(speed) != "0.5 m/s"; // 20 ms ago it was beyond the other wall
    EXPECT_EQ(std::isnan(r.contacts()[0].at("cov")), inside) << speed;
    EXPECT_EQ(r.warnings.size(), inside ? 1u : 0u) << speed;
    for (std::size_t i = inside ? 1 : 0; i < 5; ++i) {
      EXPECT_GT(r.contacts()[i].at("cov"), 1.0) << speed;
      EXPECT_GT(r.contacts()[i].at("cof"), 1.0) << speed;
    }
  }
}

TEST(Contacts, InARoomAreCountedAndALoopThatDivergesEnds) {
  for (const char* delay : {"10ms", "40ms", "80ms"}) {
    const DiagramRun r =
        run("tdpa_uncompensated",
            {std::string("response_delay=") + delay, "velocity=0.1 0 0 m/s", "angular_velocity=0 0 0 rad/s"},
            {"rig.room.on_walls"}, 300.0);
    EXPECT_NE(r.ending.text.find("the loop diverged at"), std::string::npos) << delay << ": " << r.ending.text;
    const auto last = static_cast<std::size_t>(r.steps) - 1;
    const auto under_way = static_cast<std::size_t>(r.at("rig.room.on_walls", last, 3) != 0);
    EXPECT_EQ(r.contacts().size(), counted(r.signals.at("rig.room.on_walls"), 3) + under_way) << delay;
  }
}

/// Constants instead of the ideal run: its n-th contact is always there, with nothing in it.
TEST(Figures, ThatWouldDivideByZeroAreNotAvailableAndTheRunGoesOn) {
  const std::string ideal = "<block name=\"zero_speed\" type=\"sources/Constant\" value=\"0 m/s\"/>"
                            "<block name=\"zero_force\" type=\"sources/Constant\" value=\"0 N\"/>" +
                            connect("metrics.wanted", "metrics.ideal_contact") +
                            connect("zero_speed.y", "metrics.ideal_speed") +
                            connect("zero_force.y", "metrics.ideal_peak");
  const DiagramRun r = run(prescribed(5.0, 0.02, 0.0, 0.01, 0.0, true, ideal), {}, {}, 1.0);
  EXPECT_NE(r.ending.kind, Ending::Kind::failed) << r.ending.text;
  ASSERT_GE(r.contacts().size(), 9u);
  for (const auto& row : r.contacts()) {
    EXPECT_TRUE(std::isnan(row.at("cov")));
    EXPECT_TRUE(std::isnan(row.at("cof")));
    EXPECT_GT(row.at("peak_force"), 0.0);
  }
}

TEST(Contacts, AreToldWithAllTheirFigures) {
  const DiagramRun r = run("pida", {"response_delay=10ms", "contacts=3"});
  ASSERT_EQ(r.contacts().size(), 3u);
  for (const auto& row : r.contacts()) {
    for (const char* key : {"time", "speed_before", "speed_after", "cov", "cof", "cor", "peak_force", "energy_ratio",
                            "stiffness", "damping"})
      EXPECT_TRUE(std::isfinite(row.at(key))) << key;
    EXPECT_LT(std::abs(row.at("damping")), 0.05 * row.at("stiffness") * 0.04);
  }
  EXPECT_EQ(r.contacts().back().at("damping"), r.figures.at("identified.damping"));
}

TEST(Identification, HasAMeanFromItsFirstSampleOn) {
  const DiagramRun r =
      run("<diagram format=\"1\" name=\"once\" period=\"1 ms\"><block name=\"f\" type=\"sources/Ramp\" slope=\"-2000 0 "
          "0 N/s\" "
          "initial=\"-5 0 0 N\"/><block name=\"x\" type=\"sources/Ramp\" slope=\"0.02 0 0 m/s\"/><block name=\"v\" "
          "type=\"sources/Constant\" value=\"0.02 0 0 m/s\"/><block name=\"p\" type=\"sources/Pulse\" high=\"5\" "
          "first=\"20 ms\" "
          "width=\"1 ms\"/><block name=\"n\" type=\"math/RealToInteger\"/><block name=\"filter\" "
          "type=\"estimation/AdaptiveKalmanFilter\"/>" +
              connect("p.y", "n.u") + connect("f.y", "filter.force") + connect("x.y", "filter.position") +
              connect("v.y", "filter.velocity") + connect("n.y", "filter.contact_ticks") + "</diagram>",
          {}, {}, 0.1);
  EXPECT_NE(r.figures.at("identified.stiffness"), 0.0);
  EXPECT_EQ(r.figures.at("identified.stiffness_mean"), r.figures.at("identified.stiffness"));
  EXPECT_EQ(r.figures.at("identified.damping_mean"), r.figures.at("identified.damping"));
}

TEST(Stale, ContactsThatALostCycleHasTouchedAreMarkedAndKeptOutOfTheMeans) {
  // of one contact each 100 ms the one around 0.52 s is touched, before its rebound is known
  const std::string lost = "<block name=\"lost\" type=\"sources/Pulse\" high=\"1\" first=\"0.52 s\" width=\"10 ms\"/>"
                           "<block name=\"late\" type=\"math/RealToBool\"/>" +
                           connect("lost.y", "late.u") + connect("late.y", "metrics.stale");
  const DiagramRun r = run(prescribed(5.0, 0.02, 0.0, 0.0, 0.0, true, lost), {}, {}, 2.0);
  double marked = 0, sum = 0, others = 0;
  for (const auto& row : r.contacts()) {
    marked += row.at("stale");
    if (row.at("stale") == 0.0) sum += row.at("cor"), others += 1.0;
  }
  EXPECT_EQ(marked, 1.0);
  EXPECT_EQ(r.figures.at("contacts_mean.left_out"), 1.0);
  EXPECT_NEAR(r.figures.at("contacts_mean.cor"), sum / others, 1e-12);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].find("1 of 20 contacts were touched by lost or late cycles"), std::string::npos);
}

TEST(Stale, TicksTeachTheFilterNothing) {
  const auto learnt = [](const char* first) {
    const std::string filter =
        std::string("<block name=\"lost\" type=\"sources/Pulse\" high=\"1\" width=\"100 s\" first=\"") + first +
        "\"/><block name=\"late\" type=\"math/RealToBool\"/><block name=\"filter\" "
        "type=\"estimation/AdaptiveKalmanFilter\"/>" +
        connect("lost.y", "late.u") + connect("late.y", "filter.stale") +
        connect("sensor.measured.force", "filter.force") + connect("rod.position", "filter.position") +
        connect("rod.velocity", "filter.velocity") + connect("gate.ticks", "filter.contact_ticks");
    return run(prescribed(5.0, 0.02, 0.0, 0.0, 0.0, true, filter), {}, {}, 1.0).figures.at("identified.stiffness");
  };
  EXPECT_EQ(learnt("0 s"), 0.0);
  EXPECT_NEAR(learnt("0.9 s"), 176275.0, 1.0);
}

TEST(Settled, SpeedAfterIsReadWhereTheLedgerSaysSoOrBeforeTheNextContact) {
  const auto with = [](const char* first) {
    return std::string("<block name=\"done\" type=\"sources/Pulse\" high=\"1\" first=\"") + first +
           "\" width=\"1 ms\"/><block name=\"is_done\" type=\"math/RealToBool\"/>" + connect("done.y", "is_done.u") +
           connect("is_done.y", "metrics.settled");
  };
  const double w = 2.0 * 3.14159265358979312 * 5.0;
  const auto speed = [&](double t) { return std::abs(0.02 * w * std::cos(w * t)); };
  const DiagramRun at_once = run(prescribed(5.0, 0.02, 0.0, 0.0, 0.0, true), {}, {"wall.on_wall"}, 0.16);
  ASSERT_EQ(at_once.contacts().size(), 1u);
  std::size_t end = 0;
  for (std::size_t k = 0; k < 150; ++k)
    if (at_once.at("wall.on_wall", k, 6) > 0.0) end = k + 1;
  const double settled = static_cast<double>(end + 5) * 1e-3;
  const DiagramRun r = run(prescribed(5.0, 0.02, 0.0, 0.0, 0.0, true, with((number(settled) + " s").c_str())), {},
                           {"wall.on_wall"}, 0.3);
  ASSERT_EQ(r.contacts().size(), 3u);
  EXPECT_NEAR(r.contacts()[0].at("speed_released"), speed(static_cast<double>(end) * 1e-3), 1e-12);
  EXPECT_NEAR(r.contacts()[0].at("speed_after"), speed(settled), 1e-12);
  const DiagramRun never = run(prescribed(5.0, 0.02, 0.0, 0.0, 0.0, true, with("100 s")), {}, {"wall.on_wall"}, 0.3);
  std::size_t next = end;
  while (never.at("wall.on_wall", next, 6) == 0.0) ++next;
  EXPECT_NEAR(never.contacts()[0].at("speed_after"), speed(static_cast<double>(next - 1) * 1e-3), 1e-12);
}

TEST(Energy, RatioDoesNotDependOnTheFrame) {
  const DiagramRun still = run("uncompensated", {"response_delay=10ms"});
  for (const char* drift : {"1 0 0", "-3 0 0", "10 0 0"}) {
    const double along = std::stod(drift);
    const DiagramRun r = run("uncompensated", {"response_delay=10ms", "velocity=" + number(along + 0.02) + " 0 0 m/s",
                                               std::string("target_velocity=") + drift + " m/s"});
    ASSERT_EQ(r.contacts().size(), 5u);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(r.contacts()[i].at("energy_ratio") / still.contacts()[i].at("energy_ratio"), 1.0, 1e-6) << drift;
  }
  EXPECT_NEAR(still.contacts().back().at("energy_ratio"), std::pow(still.contacts().back().at("cov"), 2), 1e-3);
  const DiagramRun infinite =
      run("uncompensated", {"response_delay=10ms", "service_mass=279.0697674418605 kg", "target_mass=inf",
                            "velocity=5.02 0 0 m/s", "target_velocity=5 0 0 m/s"});
  EXPECT_NEAR(infinite.contacts().back().at("energy_ratio") / still.contacts().back().at("energy_ratio"), 1.0, 1e-6);
}

TEST(ForceNoise, IsOneNumberOrThree) {
  const std::vector<std::string> seen{"rig.sensor.measured", "rig.wall.on_wall"};
  const std::vector<std::string> base{"response_delay=10ms", "contacts=1"};
  const auto with = [&](const char* noise) {
    std::vector<std::string> settings = base;
    settings.push_back(std::string("force_noise=") + noise);
    return run("pida", settings, seen);
  };
  const DiagramRun one = with("0.5 N"), three = with("0.5 0.5 0.5 N"), x = with("0.5 0 0 N");
  EXPECT_EQ(one.signals.at("rig.sensor.measured"), three.signals.at("rig.sensor.measured"));
  bool noisy = false;
  for (std::size_t k = 0; k < static_cast<std::size_t>(x.steps); ++k) {
    noisy = noisy || x.at("rig.sensor.measured", k, 6, 0) - x.at("rig.wall.on_wall", k, 6, 0) != 0.0;
    ASSERT_EQ(x.at("rig.sensor.measured", k, 6, 1), 0.0);
    ASSERT_EQ(x.at("rig.sensor.measured", k, 6, 2), 0.0);
  }
  EXPECT_TRUE(noisy);
  EXPECT_NE(run_diagram({"pida", {"force_noise=0.5 0.5 N"}, {}}).errors.find("one or three"), std::string::npos);
}

TEST(Warnings, TellWhereTheSampleTimeDoesNotResolveTheContact) {
  EXPECT_TRUE(run("pida", {"contacts=2"}).warnings.empty());
  EXPECT_TRUE(run("pida", {"contacts=2", "period=4 ms"}).warnings.empty());
  const DiagramRun r =
      run("uncompensated", {"response_delay=0ms", "stiffness=1e9 N/m", "contacts=3", "initial_covariance=0 0"});
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings.back().find("does not resolve 3 contacts: w T = "), std::string::npos) << r.warnings.back();
}

/// A delay draws a contact out; what the sample time resolves is still w T alone: 0.06 to 0.19 rad, then 0.6 to 6.
TEST(Warnings, TellOfASampleTimeThatDoesNotResolveTheContactAtAnyDelay) {
  for (const char* method : {"uncompensated", "pic", "pida"})
    for (const char* delay : {"0ms", "1ms", "4ms", "20ms", "60ms"})
      for (const char* stiffness : {"1e6", "1e7", "1e8", "1e9", "1e10"}) {
        const DiagramRun r = run(method, {std::string("response_delay=") + delay,
                                          std::string("stiffness=") + stiffness + " N/m", "contacts=1"});
        const bool told = std::any_of(r.warnings.begin(), r.warnings.end(), [](const std::string& text) {
          return text.find("does not resolve") != std::string::npos;
        });
        EXPECT_EQ(told, std::stod(stiffness) > 2e7) << method << " " << delay << " " << stiffness;
      }
}

/// The same of the walls of a room, each axis by itself: 0.014 to 0.14 rad, then 1.4 to 14.
TEST(Warnings, TellOfASampleTimeThatDoesNotResolveTheContactsOfARoomAtAnyDelay) {
  for (const char* diagram : {"tdpa_uncompensated", "tdpa", "tdpa_full", "tdpa_ledger"})
    for (const char* delay : {"0ms", "1ms", "10ms", "40ms"})
      for (const char* stiffness : {"1e4", "1e5", "1e6", "1e8", "1e9", "1e10"}) {
        const DiagramRun r = run(diagram,
                                 {std::string("response_delay=") + delay,
                                  std::string("stiffness=") + stiffness + " N/m", "damping=0", "period=1 ms"},
                                 {}, 3.0);
        const bool told = std::any_of(r.warnings.begin(), r.warnings.end(), [](const std::string& text) {
          return text.find("does not resolve") != std::string::npos;
        });
        EXPECT_EQ(told, std::stod(stiffness) > 2e7) << diagram << " " << delay << " " << stiffness;
      }
}

TEST(Warnings, TellWhereTheFirstCovarianceIsTooSmallForTheStiffness) {
  const std::vector<std::string> stiff{"response_delay=2ms", "stiffness=1e7 N/m", "contacts=3", "period=0.25 ms"};
  const DiagramRun r = run("pida", stiff);
  EXPECT_GT(std::abs(r.figures.at("identified.stiffness") / 1e7 - 1.0), 0.05);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].find("does not fit the contact's scale"), std::string::npos);
  std::vector<std::string> near_it = stiff;
  near_it.push_back("identification.initial_stiffness=1e7 N/m"); // the first guess is right, whatever it is doubted by
  const DiagramRun guessed = run("pida", near_it);
  EXPECT_TRUE(guessed.warnings.empty()) << guessed.warnings[0];
  for (const char* stiffness : {"1e3", "1e4", "1e5", "1e6", "1e7"}) {
    std::vector<std::string> settings{"response_delay=2ms", std::string("stiffness=") + stiffness + " N/m",
                                      "contacts=3", "period=0.25 ms", "initial_covariance=0"};
    const DiagramRun chosen = run("pida", settings);
    EXPECT_NEAR(chosen.figures.at("identified.stiffness") / std::stod(stiffness), 1.0, 0.01) << stiffness;
    EXPECT_TRUE(chosen.warnings.empty()) << stiffness << " " << chosen.warnings[0];
  }
}

} // namespace
} // namespace hilda::test
