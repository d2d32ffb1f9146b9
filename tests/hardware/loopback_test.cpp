// SPDX-License-Identifier: BSD-3-Clause
// The hardware rig against the simulated cell: two processes over real sockets. Both keep a time that the test owns, so
// that a busy machine makes neither of them late.

#include "engine/log/log.h"
#include "tests/diagrams/diagram_run.h"
#include "tests/hardware/process.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <thread>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> quick_cell{"half_size=4 1000 1000 mm", "natural_frequency=0", "response_delay=4ms",
                                          "payload_mass=0"};
/// A fast rod between walls that are close, so that a second holds three contacts.
std::vector<std::string> quick_run(const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings{"rig.payload_mass=0", "speed=50mm/s", "response_delay=12ms"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// Two processes in step: nothing was lost, however busy the machine was.
void expect_kept_time(const CellBench& bench, const Finished& run) {
  EXPECT_EQ(bench.time()->most_paced(), 2);
  ASSERT_TRUE(run.summary.is_object()) << run.err;
  EXPECT_EQ(run.summary["realtime"]["lost"], 0) << run.summary["realtime"];
  EXPECT_EQ(run.summary["realtime"]["late"], 0) << run.summary["realtime"];
}

/// Until the rig takes part in the bench's time: it waits for the robot, or has met it. 20 s at most.
bool comes_to_the_robot(const CellBench& bench, Process& run) {
  for (int tries = 0; tries < 1000 && bench.time()->most_paced() < 2 && run.running(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return bench.time()->most_paced() >= 2 && run.running();
}

/// Until the log has so many bytes, 60 s at most. Before anything moves it has 73 kB: the diagram.
bool has_logged(const CellBench& bench, Process& run, std::uintmax_t bytes) {
  const auto logged = [&] { return bench.folder().size("run.mcap.part"); };
  for (int tries = 0; tries < 3000 && logged() < bytes && run.running(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return logged() >= bytes && run.running();
}

/// Smallest and largest over where within a tick the first contact comes, which a cell leaves to chance.
struct Band {
  double least = INFINITY, most = -INFINITY;
  void add(double v) { least = std::min(least, v), most = std::max(most, v); }
  bool holds(double v, double room) const { return v >= least - room && v <= most + room; }
};

struct Bands {
  Band restitution, peak, stiffness;
};

Bands simulated(const std::string& diagram, int contacts) {
  Bands bands;
  for (int phase = 0; phase < 8; ++phase) {
    const DiagramRun run =
        run_diagram({diagram,
                     {"speed=50mm/s", "response_delay=12ms", "period=4ms", "gap=8mm",
                      "contacts=" + std::to_string(contacts), "start=" + std::to_string(phase * 0.025) + "mm"},
                     {},
                     5.0});
    EXPECT_EQ(run.errors, "");
    for (const DiagramRun::Row& contact : run.contacts()) {
      bands.restitution.add(contact.at("cor"));
      bands.peak.add(contact.at("peak_force"));
    }
    bands.stiffness.add(run.figures.at("identified.stiffness"));
  }
  return bands;
}

class Method : public testing::TestWithParam<const char*> {};

TEST_P(Method, DoesOnTheCellWhatItDoesInSimulationAtTheCellsDelay) {
  const Bands bands = simulated(GetParam(), 3);
  CellBench bench(quick_cell, CellTime::fast);
  const Finished run = bench.run("run", GetParam(), quick_run({"contacts=3"}),
                                 {"--arm", "--no-log", "--for", "3s", "--summary", "summary.json"});
  ASSERT_EQ(run.exit, 0) << run.err;
  expect_kept_time(bench, run);
  ASSERT_EQ(run.summary["contacts"].size(), 3u);
  for (const auto& contact : run.summary["contacts"]) {
    EXPECT_TRUE(bands.restitution.holds(contact["cor"], 0.03)) << contact;
    EXPECT_TRUE(bands.peak.holds(contact["peak_force"], 0.03 * bands.peak.most)) << contact;
    EXPECT_EQ(contact["stale"], 0) << contact; // the rig reports lost cycles, and there were none
    EXPECT_GT(contact["time"], 0.05);          // no force is taken for contact while the rod is on its way
  }
  EXPECT_TRUE(bands.stiffness.holds(run.summary["identified"]["stiffness"], 0.02 * bands.stiffness.most));
}

INSTANTIATE_TEST_SUITE_P(Contact, Method, testing::Values("pida", "pic", "dac"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Loopback, TdpaDoesOnTheCellWhatItDoesInSimulation) {
  const std::vector<std::string> room{"half_size=20 mm", "velocity=0.1 0 0 m/s", "angular_velocity=0 0 0 rad/s",
                                      "response_delay=12ms"};
  std::vector<std::string> settings = room;
  settings.push_back("period=4ms");
  const DiagramRun simulation = run_diagram({"tdpa", settings, {}, 2.0});
  ASSERT_EQ(simulation.errors, "");
  CellBench bench({"half_size=20 1000 1000 mm", "stiffness=2000 N/m", "natural_frequency=0", "response_delay=4ms",
                   "payload_mass=0"},
                  CellTime::fast);
  settings = room;
  settings.insert(settings.end(), {"force_noise=0.02N", "rig.payload_mass=0"});
  const Finished run =
      bench.run("run", "tdpa", settings, {"--arm", "--no-log", "--for", "2s", "--summary", "summary.json"});
  ASSERT_EQ(run.exit, 0) << run.err;
  expect_kept_time(bench, run);
  ASSERT_GE(run.summary["contacts"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(run.summary["contacts"][i]["cor"], simulation.contacts().at(i).at("cor"), 0.02);
    EXPECT_NEAR(run.summary["contacts"][i]["peak_force"], simulation.contacts().at(i).at("peak_force"), 1.0);
  }
}

TEST(Loopback, AProcessThatTheMachineHoldsUpLosesNothing) {
  CellBench bench(quick_cell, CellTime::stands);
  auto run = bench.start(
      "run", bench.arguments("run", "pida", quick_run({"contacts=0"}),
                             {"--arm", "--log", "run.mcap", "--for", "3s", "--summary", "summary.json", "--quiet"}));
  ASSERT_TRUE(has_logged(bench, *run, 200000)) << bench.folder().read("run.err");
  run->hold_up(0.3); // 75 cycles: the robot's patience is 5
  Finished finished;
  finished.exit = run->wait();
  finished.err = bench.folder().read("run.err");
  finished.summary = nlohmann::json::parse(bench.folder().read("summary.json"), nullptr, false);
  EXPECT_EQ(finished.exit, 0) << finished.err;
  expect_kept_time(bench, finished);
}

TEST(Loopback, ACrashOfTheProcessEndsInTheRobotsOwnTimeOut) {
  CellBench bench({}, CellTime::stands);
  auto run =
      bench.start("run", bench.arguments("run", "pida", {"contacts=0"}, {"--arm", "--log", "run.mcap", "--quiet"}));
  ASSERT_TRUE(has_logged(bench, *run, 200000)) << bench.folder().read("run.err");
  run->kill();
  EXPECT_EQ(run->wait(), 128 + 9);
  ASSERT_TRUE(bench.time()->pass(0.8)); // 100 cycles of 4 ms, and room
  EXPECT_EQ(bench.end()["stopped"], "time-out");

  std::string problem;
  std::optional<Log> log = Log::open(bench.folder().path("run.mcap"), problem);
  ASSERT_TRUE(log) << problem;
  EXPECT_FALSE(log->complete());
  const std::optional<Signal> pose = log->signal("rig.robot.pose", problem);
  ASSERT_TRUE(pose) << problem;
  EXPECT_GT(pose->samples(), 50u);

  Process replay(bench.folder(), "replay", {"run", "--mode", "replay", "run.mcap"});
  EXPECT_EQ(replay.wait(), 0) << bench.folder().read("replay.err");
  EXPECT_THAT(bench.folder().read("replay.out"), HasSubstr("every bit is as recorded"));
}

TEST(Loopback, ARunThatTheSafetyStageEndedOnAFaultyWireIsReplayedToTheBit) {
  // an IPOC that leaps would end the run before
  CellBench bench({"drop=0.02", "duplicate=0.03", "sensor_drop=0.1"}, CellTime::fast);
  const Finished run = bench.run("run", "pida", quick_run({"contacts=0", "rig.speed_limit=0.0205m/s"}),
                                 {"--arm", "--log", "run.mcap", "--for", "5s", "--quiet"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("the safety stage refuses what would be sent: speed"));
  Process replay(bench.folder(), "replay", {"run", "--mode", "replay", "run.mcap"});
  EXPECT_EQ(replay.wait(), 0) << bench.folder().read("replay.err");
  EXPECT_THAT(bench.folder().read("replay.out"), HasSubstr("every bit is as recorded"));
}

TEST(Loopback, ABlockThatNeverReturnsEndsInTheRobotsOwnTimeOut) {
  CellBench bench({}, CellTime::stands);
  const std::string source = source_folder() + "/diagrams/";
  std::stringstream text;
  text << std::ifstream(source + "pida.xml").rdbuf();
  std::string diagram = text.str();
  diagram.insert(diagram.rfind("</diagram>"), R"(<block name="stuck" type="devices/Busy" at="150" work="3600 s"/>
<block name="seen" type="sinks/Record"/><connect from="stuck.y" to="seen.u"/>)");
  std::ofstream(bench.folder().path("stuck.xml")) << diagram;
  ::setenv("HILDA_LIBRARY_PATH", source.c_str(), 1);
  ::setenv("HILDA_PLUGIN_PATH", (build_folder() + "/tests/realtime/plugins").c_str(), 1);
  std::vector<std::string> arguments = bench.arguments("run", "", {}, {"--arm", "--log", "run.mcap", "--quiet"});
  arguments.insert(arguments.begin() + 1, "stuck.xml");
  auto run = bench.start("run", arguments);
  ::unsetenv("HILDA_LIBRARY_PATH");
  ::unsetenv("HILDA_PLUGIN_PATH");
  ASSERT_TRUE(comes_to_the_robot(bench, *run)) << bench.folder().read("run.err");
  ASSERT_TRUE(bench.time()->leave_out_who_works(0.5));
  ASSERT_TRUE(bench.time()->pass(0.8)); // 100 cycles of 4 ms, and room
  EXPECT_EQ(bench.end()["stopped"], "time-out");
  run->kill();
  EXPECT_THAT(run->wait(), testing::AnyOf(128 + 9, 3)); // 3: the program gave it up after 2 s, and sends nothing then
}

/// What was sent to the robot: m/s from sample to sample.
std::vector<double> speeds_sent(const std::string& log_file) {
  std::string problem;
  std::optional<Log> log = Log::open(log_file, problem);
  std::optional<Signal> sent;
  if (log) sent = log->signal("rig.robot.sent", problem);
  EXPECT_TRUE(sent) << problem;
  std::vector<double> speed;
  for (std::size_t k = 1; sent && k < sent->samples(); ++k) {
    const double ticks = static_cast<double>(sent->ticks()[k] - sent->ticks()[k - 1]);
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) square += std::pow(sent->value(k, i) - sent->value(k - 1, i), 2);
    speed.push_back(std::sqrt(square) / (ticks * 4e-3));
  }
  return speed;
}

TEST(Loopback, WithoutCompensationItDivergesAndTheSafetyStageEndsItOnARamp) {
  CellBench bench(quick_cell, CellTime::fast);
  const Finished run =
      bench.run("run", "uncompensated", quick_run({"contacts=0", "rig.speed_limit=0.2m/s"}),
                {"--arm", "--log", "run.mcap", "--for", "20s", "--summary", "summary.json", "--quiet"});
  EXPECT_EQ(run.exit, 3) << run.out << run.err;
  expect_kept_time(bench, run);
  const std::vector<double> speed = speeds_sent(bench.folder().path("run.mcap"));
  ASSERT_FALSE(speed.empty());
  EXPECT_LE(*std::max_element(speed.begin(), speed.end()), 0.2 * (1 + 1e-6));
  EXPECT_LT(speed.front(), 0.002); // from rest
  EXPECT_LT(speed.back(), 1e-4);   // to rest
  EXPECT_THAT(run.err, HasSubstr("the safety stage refuses what would be sent: speed"));
  EXPECT_THAT(run.err, HasSubstr("rig.robot"));
  EXPECT_GT(*std::max_element(speed.begin(), speed.end()), 0.1); // it had diverged
}

TEST(Loopback, WithoutArmNothingMoves) {
  CellBench bench({}, CellTime::fast);
  const Finished run = bench.run("run", "pida", {}, {"--for", "0.3s", "--log", "run.mcap"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("not armed, nothing moved"));
}

TEST(Loopback, ARobotThatBrakesEndsTheRunAndSaysSo) {
  CellBench bench({"brake_at=10s"}, CellTime::fast); // until the rig is there its time is the machine's
  const Finished run = bench.run("run", "pida", {"contacts=0"}, {"--arm", "--no-log", "--for", "20s", "--quiet"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("the robot does not follow any more"));
}

TEST(Loopback, AnOperatorWhoLosesPatienceWithASilentRobotIsNotToldOfTheRobots) {
  CellBench bench({"disconnect_at=0.01s"}, CellTime::stands);
  auto run = bench.start("run", bench.arguments("run", "pida", {}, {"--arm", "--no-log", "--quiet"}));
  ASSERT_TRUE(comes_to_the_robot(bench, *run)) << bench.folder().read("run.err");
  run->interrupt();
  EXPECT_EQ(run->wait(), 130);
  EXPECT_THAT(bench.folder().read("run.err"), HasSubstr("interrupted while devices were being connected"));
}

TEST(Loopback, ASecondRunLeavesTheFirstAlone) {
  CellBench bench({}, CellTime::stands);
  const std::vector<std::string> logged{"--arm", "--log", "run.mcap", "--quiet"};
  auto first = bench.start("first", bench.arguments("run", "pida", {"contacts=0"}, logged));
  ASSERT_TRUE(has_logged(bench, *first, 200000)) << bench.folder().read("first.err");
  const Finished second = bench.run("run", "pida", {}, {"--arm", "--no-log", "--for", "1s", "--quiet"});
  EXPECT_EQ(second.exit, 3);
  EXPECT_THAT(second.err, HasSubstr("end that run first"));
  const std::uintmax_t before = bench.folder().size("run.mcap.part");
  EXPECT_TRUE(has_logged(bench, *first, before + 50000)) << "it goes on\n" << bench.folder().read("first.err");
  first->interrupt();
  EXPECT_EQ(first->wait(), 130) << bench.folder().read("first.err");
}

TEST(Loopback, ASensorThatFallsSilentEndsTheRunAndSaysSo) {
  CellBench bench({"sensor_disconnect_at=10s"}, CellTime::fast);
  const Finished run = bench.run("run", "pida", {"contacts=0"}, {"--arm", "--no-log", "--for", "20s", "--quiet"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("rig.sensor"));
}

TEST(Loopback, AStartThatDoesNotFitTheCellIsRefusedBeforeAnythingMoves) {
  CellBench bench({"start_orientation=0.0436194 0 0.9990482 0"}, CellTime::fast); // 5 deg off
  const Finished run = bench.run("run", "pida", {}, {"--arm", "--log", "run.mcap", "--for", "5s", "--quiet"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("rig.anchor"));
  EXPECT_THAT(run.err, HasSubstr("world_rotation"));
}

double number(const std::string& overlay, const std::string& name) {
  const std::string before = "path=\"" + name + "\" value=\"";
  const std::size_t at = overlay.find(before);
  return at == std::string::npos ? NAN : std::stod(overlay.substr(at + before.size()));
}

/// The number before "%" that follows on the first `what`.
double percent_after(const std::string& text, const std::string& what) {
  const std::size_t at = text.find(what), sign = text.find('+', at);
  return at == std::string::npos || sign == std::string::npos ? NAN : std::strtod(text.c_str() + sign, nullptr);
}

TEST(MeasureDelay, RecoversTheCellAndWritesWhatASimulationTakes) {
  CellBench bench(
      {"response_delay=6ms", "natural_frequency=20Hz", "damping_ratio=0.6", "sensor_delay=2ms", "force_noise=0.1N"},
      CellTime::fast);
  const Finished run =
      bench.run("measure-delay", "", {"sweep=3s", "from=1Hz"}, {"--arm", "--quiet", "--out", "measured.xml"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("left out"))) << "no cycle was lost";
  const std::string overlay = bench.folder().read("measured.xml");
  // Two cycles on the way, the drives' dead time, half a tick of the simulated second order in the cell; half a cycle
  // less for the one that the overlay is for.
  EXPECT_NEAR(number(overlay, "response_delay"), 8 + 6 + 0.5 - 2, 0.5) << run.out;
  EXPECT_NEAR(number(overlay, "natural_frequency") / 20, 1, 0.05) << run.out;
  EXPECT_NEAR(number(overlay, "damping_ratio") / 0.6, 1, 0.05) << run.out;
  EXPECT_NEAR(number(overlay, "sensor_delay"), 2, 0.5) << run.out;
  EXPECT_EQ(number(overlay, "period"), 4);
  // The delay of the force is not part of the robot's: 2 ms at 4 Hz make 17 % of energy.
  EXPECT_NEAR(percent_after(run.out, "\n  force "), 17, 5) << run.out;
  EXPECT_NEAR(percent_after(overlay, "; force "), 17, 5) << overlay;

  Process simulation(bench.folder(), "sim",
                     {"run", source_folder() + "/diagrams/pida.xml", "--overlay", "measured.xml", "--set", "contacts=1",
                      "--quiet", "--no-log"});
  EXPECT_EQ(simulation.wait(), 0) << bench.folder().read("sim.err");
  Process room(bench.folder(), "room",
               {"run", source_folder() + "/diagrams/tdpa.xml", "--overlay", "measured.xml", "--for", "0.1s", "--quiet",
                "--no-log"});
  EXPECT_EQ(room.wait(), 0) << bench.folder().read("room.err");
}

TEST(HardwareVariant, LacksTheCellsValuesAloneAndListsThemWhenAskedFor) {
  const Folder folder;
  for (const char* diagram : {"pic", "acc", "dac", "pida", "pida_oblique", "uncompensated", "tdpa", "tdpa_full",
                              "tdpa_docking", "tdpa_uncompensated", "passive_integrator", "measure_delay"}) {
    const std::string file = source_folder() + "/diagrams/" + std::string(diagram) + ".xml";
    Process all(folder, "all", {"check", file});
    EXPECT_EQ(all.wait(), 0) << diagram << folder.read("all.err");
    EXPECT_THAT(folder.read("all.err"), HasSubstr("mode hardware lacks"));
    Process filled(
        folder, "filled",
        {"check", file, "--mode", "hardware", "--overlay", source_folder() + "/diagrams/rigs/kuka_ati_loopback.xml"});
    EXPECT_EQ(filled.wait(), 0) << diagram << folder.read("filled.err");
  }
  Process asked(folder, "asked", {"check", source_folder() + "/diagrams/pida.xml", "--mode", "hardware"});
  EXPECT_EQ(asked.wait(), 2);
  for (const char* value : {"rig.ethernet", "rig.payload_mass", "rig.world_rotation", "rig.speed_limit"})
    EXPECT_THAT(folder.read("asked.err"), HasSubstr(value));
}

TEST(MeasureDelay, WantsToBeArmedAndALogOfItsOwn) {
  const Folder folder;
  Process idle(folder, "idle", {"measure-delay"});
  EXPECT_EQ(idle.wait(), 64);
  EXPECT_THAT(folder.read("idle.err"), HasSubstr("--arm"));

  Process other(folder, "other",
                {"run", source_folder() + "/diagrams/pida.xml", "--for", "0.1s", "--quiet", "--log", "x.mcap"});
  ASSERT_EQ(other.wait(), 0);
  Process wrong(folder, "wrong", {"measure-delay", "--from", "x.mcap"});
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(folder.read("wrong.err"), HasSubstr("measure_delay.xml"));
}

TEST(MeasureDelay, DoesNotWriteASensorDelayThatAnotherPayloadExplains) {
  CellBench bench({"natural_frequency=20Hz"}, CellTime::fast);
  const Finished run = bench.run("measure-delay", "", {"sweep=2s", "from=1Hz", "rig.payload_mass=4kg"},
                                 {"--arm", "--quiet", "--out", "measured.xml"});
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the rig's payload_mass is 4 kg"));
  EXPECT_TRUE(std::isnan(number(bench.folder().read("measured.xml"), "sensor_delay")));
}

TEST(MeasureDelay, MeasuresASimulatedRigToo) {
  const Folder folder;
  Process run(folder, "run",
              {"measure-delay", "--mode", "sim", "--set", "response_delay=13ms", "--set", "position_noise=2um",
               "--quiet", "--out", "m.xml"});
  ASSERT_EQ(run.wait(), 0) << folder.read("run.err");
  // From the closed form of one late contact of 4 Hz (delayed_contact.py): 13 ms, 2 ms (half a cycle), 15 ms.
  const std::string out = folder.read("run.out"), overlay = folder.read("m.xml");
  EXPECT_THAT(out, HasSubstr("delays apart"));
  EXPECT_NEAR(percent_after(out, "\n  robot "), 171.2, 2);
  EXPECT_NEAR(percent_after(out, "\n  cycle "), 17.1, 0.2);
  EXPECT_THAT(out, HasSubstr("\n  force            unknown"));
  EXPECT_NEAR(percent_after(overlay, "; together "), 213.2, 3);
  EXPECT_NEAR(number(folder.read("m.xml"), "response_delay"), 13, 0.1);
  EXPECT_EQ(number(folder.read("m.xml"), "natural_frequency"), 0);
}

} // namespace
} // namespace hilda::test
