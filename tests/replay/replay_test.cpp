// SPDX-License-Identifier: BSD-3-Clause
// `hilda run --mode replay LOG`: what was recorded comes out again, bit for bit, or is named.
#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/log/log.h"
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string pida = source_folder() + "/diagrams/pida.xml";

std::string simulated(const std::string& diagram = pida) {
  return "run " + diagram + " --for 3s --set response_delay=20ms --quiet --log first.mcap";
}

/// The bytes of a log, to be damaged.
class LogBytes {
public:
  explicit LogBytes(const Workplace& place) : path_(place.path() / "first.mcap") {
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::size_t size() const { return bytes_.size(); }
  void flip(std::size_t byte, unsigned bit) { bytes_[byte] = static_cast<char>(bytes_[byte] ^ (1U << bit)); }
  void cut(std::size_t size) { bytes_.resize(size); }
  /// Where the sample of a channel at a tick holds the number.
  std::size_t find(double number) const {
    char wanted[sizeof number];
    std::memcpy(wanted, &number, sizeof number);
    const auto at = bytes_.find(std::string(wanted, sizeof wanted));
    return at == std::string::npos ? 0 : at;
  }
  void write() const { std::ofstream(path_, std::ios::binary) << bytes_; }

private:
  std::filesystem::path path_;
  std::string bytes_;
};

double recorded(const Workplace& place, const std::string& signal, std::size_t sample, std::size_t element = 0) {
  std::string error;
  auto log = Log::open((place.path() / "first.mcap").string(), error);
  if (!log) return 0;
  auto found = log->signal(signal, error);
  EXPECT_TRUE(found) << error;
  return found ? found->value(sample, element) : 0;
}

TEST(Replay, OfASimulationGivesEveryBitAgain) {
  const Workplace here;
  ASSERT_EQ(here.hilda(simulated()).exit, 0);
  const Result again = here.hilda("run --mode replay first.mcap --summary again.json");
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("every bit is as recorded"), HasSubstr("3000 ticks")));
  const nlohmann::json replay = nlohmann::json::parse(here.read("again.json")).at("replay");
  EXPECT_TRUE(replay.at("identical"));
  EXPECT_FALSE(replay.at("open_loop"));
  EXPECT_GE(replay.at("signals"), 50);
  EXPECT_FALSE(here.has("out")) << "nobody asked for a second log";
}

TEST(Replay, TakesTheDiagramFromTheLogAndNotFromTheDisk) {
  const Workplace here;
  here.write("wave.xml", R"(<diagram format="1" name="wave" period="1 ms">
  <subsystem name="part" src="part.xml"/>
  <block name="end" type="sinks/Record"/>
  <connect from="part.y" to="end.u"/>
</diagram>
)");
  const std::string part = R"(<diagram format="1" name="part"><output name="y"/>
  <block name="s" type="sources/Sine" amplitude="AMPLITUDE" frequency="2 Hz"/>
  <connect from="s.y" to="y"/></diagram>
)";
  const auto with = [&part](const std::string& amplitude) {
    std::string text = part;
    return text.replace(text.find("AMPLITUDE"), 9, amplitude);
  };
  here.write("part.xml", with("1"));
  const Result first = here.hilda("run wave.xml --for 1s --quiet --log first.mcap");
  ASSERT_EQ(first.exit, 0) << first.err;
  here.write("part.xml", with("2"));
  const Result again = here.hilda("run --mode replay first.mcap");
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("every bit is as recorded"));
  std::filesystem::remove(here.path() / "part.xml");
  std::filesystem::remove(here.path() / "wave.xml");
  EXPECT_EQ(here.hilda("run --mode replay first.mcap").exit, 0) << "the log holds all that it needs";
}

TEST(Replay, NamesAFlippedBitBySignalAndTimeAndTheDamagedPlace) {
  const Workplace here;
  ASSERT_EQ(here.hilda(simulated()).exit, 0);
  const double value = recorded(here, "satellites.motion.pose", 1680);
  LogBytes log(here);
  const std::size_t at = log.find(value);
  ASSERT_GT(at, 0U);
  log.flip(at, 0);
  log.write();
  const Result again = here.hilda("run --mode replay first.mcap");
  EXPECT_EQ(again.exit, 3);
  EXPECT_THAT(again.err, AllOf(HasSubstr("a part of the log is damaged (checksum)"), HasSubstr("1 of"),
                               HasSubstr("commanded_tip.position[0] at t = 1.68 s (tick 1680)"), // which has it first
                               HasSubstr("was recorded")));
}

TEST(Replay, NamesTheElementOfAVectorThatDiffers) {
  const Workplace here;
  here.write("wave.xml", R"(<diagram format="1" name="wave" period="1 ms">
  <block name="s" type="sources/Sine" amplitude="1 3 7" frequency="1.7 Hz"/>
  <block name="end" type="sinks/Terminator"/>
  <connect from="s.y" to="end.u"/>
</diagram>
)");
  ASSERT_EQ(here.hilda("run wave.xml --for 1s --quiet --log first.mcap").exit, 0);
  LogBytes log(here);
  std::size_t tick = 123; // what compression took apart is not found
  std::size_t at = 0;
  for (; tick < 300 && at == 0; ++tick) at = log.find(recorded(here, "s.y", tick, 1));
  ASSERT_GT(at, 0U);
  --tick;
  log.flip(at, 0);
  log.write();
  const Result again = here.hilda("run --mode replay first.mcap");
  EXPECT_EQ(again.exit, 3);
  EXPECT_THAT(again.err,
              HasSubstr("s.y[1] at t = 0." + std::to_string(tick) + " s (tick " + std::to_string(tick) + ")"));
}

TEST(Replay, OfACutLogGoesAsFarAsItDoes) {
  const Workplace here;
  ASSERT_EQ(here.hilda(simulated()).exit, 0);
  LogBytes log(here);
  log.cut(log.size() * 6 / 10);
  log.write();
  const Result again = here.hilda("run --mode replay first.mcap");
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("the log is cut"), HasSubstr("every bit is as recorded")));
}

TEST(Replay, WithAnotherValueSaysThatTheLoopWasOpenAndWhatDiffers) {
  const Workplace here;
  ASSERT_EQ(here.hilda(simulated()).exit, 0);
  const Result other = here.hilda("run --mode replay first.mcap --set speed=25mm/s");
  EXPECT_EQ(other.exit, 0) << other.err;
  EXPECT_THAT(other.out, AllOf(HasSubstr("THE LOOP WAS OPEN"), HasSubstr("that both have differ"),
                               HasSubstr("out/pida_replay.mcap"), Not(HasSubstr("  rig."))))
      << "what the rig gave stands for measurements";
  EXPECT_TRUE(here.has("out/pida_replay.mcap"));
}

TEST(Replay, ShowsWhatAnotherMethodWouldHaveDoneOnTheseMeasurements) {
  const Workplace here;
  ASSERT_EQ(here.hilda(simulated()).exit, 0);
  const Result other =
      here.hilda("run " + source_folder() + "/diagrams/dac.xml --mode replay first.mcap --summary other.json");
  EXPECT_EQ(other.exit, 0) << other.err;
  EXPECT_THAT(other.out, AllOf(HasSubstr("THE LOOP WAS OPEN"), HasSubstr("passivity.controlled")));
  const nlohmann::json replay = nlohmann::json::parse(here.read("other.json")).at("replay");
  EXPECT_TRUE(replay.at("open_loop"));
  EXPECT_GT(replay.at("differing"), 0);
}

TEST(Replay, RefusesWhatItCannotReplay) {
  const Workplace here;
  here.write("no.mcap", "this is not a log");
  EXPECT_EQ(here.hilda("run --mode replay no.mcap").exit, 2);
  EXPECT_EQ(here.hilda("run --mode replay missing.mcap").exit, 2);
  ASSERT_EQ(here.hilda(simulated()).exit, 0);
  EXPECT_EQ(here.hilda("run --mode replay first.mcap --set nothing.here=1").exit, 2);
  EXPECT_EQ(here.hilda("run --mode replay first.mcap --set speed=30mm/s --log first.mcap").exit, 64);
  here.write("other.xml", "<diagram format=\"1\"/>");
  const Result other = here.hilda("run other.xml --mode replay first.mcap");
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, HasSubstr("--set response_delay=20ms comes from first.mcap"));
  EXPECT_EQ(here.hilda(std::string("run ") + pida + " first.mcap").exit, 64) << "a log without --mode replay";
}

/// A line that a drive behind a socket follows, with a filter and a limit on the way.
constexpr const char* axis = R"(<diagram format="1" name="axis" period="4 ms">
  <parameter name="duration" value="600 ms"/>
  <parameter name="corner" value="5 Hz"/>
  <block name="wish" type="devices/Busy" speed="0.1"/>
  <block name="smooth" type="discrete/LowPass" cutoff="${corner}"/>
  <block name="drive" type="devices/Drive"/>
  <limits on="drive.command" magnitude="2 m" rate="0.5 m/s" acceleration="100 m/s2" stop_time="100 ms"/>
  <connect from="wish.y" to="drive.command"/>
  <connect from="drive.position" to="smooth.u"/>
</diagram>
)";
const std::string devices = "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; ";

class HardwareReplay : public testing::TestWithParam<const char*> {};

TEST_P(HardwareReplay, GivesEveryBitAgain) {
  const Workplace here;
  here.write("axis.xml", axis);
  const Result first = here.hilda(std::string("run axis.xml --arm --quiet --log first.mcap ") + GetParam(), devices);
  const Result again = here.hilda("run --mode replay first.mcap", devices);
  EXPECT_EQ(again.exit, 0) << first.err << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("every bit is as recorded"));
}

constexpr const char* names_of_runs[] = {"whole", "with_lost_cycles", "of_a_device_that_goes", "of_a_failure",
                                         "with_another_motion"};
INSTANTIATE_TEST_SUITE_P(Runs, HardwareReplay,
                         testing::Values("", "--set drive.quiet_at=200 --set drive.quiet=5", "--set drive.gone_at=200",
                                         "--set wish.nan_at=70", "--set wish.offset=0.5"),
                         [](const auto& each) { return std::string(names_of_runs[each.index]); });

TEST(Replay, OfHardwareWithAnotherValueUsesTheRecordedMeasurements) {
  const Workplace here;
  here.write("axis.xml", axis);
  ASSERT_EQ(here.hilda("run axis.xml --arm --quiet --log first.mcap", devices).exit, 0);
  const Result other = here.hilda("run --mode replay first.mcap --set corner=3Hz", devices);
  EXPECT_EQ(other.exit, 0) << other.err;
  EXPECT_THAT(other.out, AllOf(HasSubstr("THE LOOP WAS OPEN"), HasSubstr("smooth.y"), HasSubstr("1 of")));
}

TEST(Replay, OfARunOnHardwareThatWasKilledGoesUpToTheLastChunkThatWasFlushed) {
  const Workplace here;
  here.write("axis.xml", axis);
  const Result killed =
      here.hilda("run axis.xml --arm --for 60s --set wish.speed=0.01 --quiet --log first.mcap", devices,
                 "& for i in $(seq 600); do [ $(stat -c %s first.mcap 2>/dev/null || echo 0) -gt 60000 ] && break; "
                 "sleep 0.02; done; kill -9 $!; wait $!");
  ASSERT_EQ(killed.exit, 128 + 9) << killed.err;
  std::string error;
  auto log = Log::open((here.path() / "first.mcap").string(), error);
  ASSERT_TRUE(log) << error;
  EXPECT_FALSE(log->complete());
  const auto position = log->signal("drive.position", error);
  ASSERT_TRUE(position) << error;
  ASSERT_GT(position->samples(), 100U) << "a flush each half second, at 4 ms a tick";

  const Result again = here.hilda("run --mode replay first.mcap --summary again.json", devices);
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("the log is cut"), HasSubstr("every bit is as recorded")));
  const nlohmann::json summary = nlohmann::json::parse(here.read("again.json"));
  EXPECT_TRUE(summary.at("replay").at("identical"));
  EXPECT_EQ(summary.at("steps"), position->ticks().back() + 1) << "all that the log holds";
}

TEST(Replay, OfHardwareThatNeverMovedSaysSo) {
  const Workplace here;
  here.write("axis.xml", axis);
  ASSERT_EQ(here.hilda("run axis.xml --for 100ms --quiet --log first.mcap", devices).exit, 0);
  const Result again = here.hilda("run --mode replay first.mcap", devices);
  EXPECT_EQ(again.exit, 2);
  EXPECT_THAT(again.err, HasSubstr("there is no tick to replay"));
}

} // namespace
} // namespace hilda::test
