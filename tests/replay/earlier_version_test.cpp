// SPDX-License-Identifier: BSD-3-Clause
// A log of version 0.1.0 can still be read and replayed: one of a run on hardware (a robot and a sensor of the
// project's own, a tool that goes straight on), written before mathematics, telegrams and blocks got what they have
// since. The compared signals are those that 0.1.0 wrote; those of RsiRobot that came later are not in it.
#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Unpacks the log into the folder.
std::filesystem::path unpack(const Workplace& place) {
  const std::filesystem::path log = place.path() / "old.mcap";
  const std::string command =
      "gzip -dc '" + source_folder() + "/tests/replay/hardware_0.1.0.mcap.gz' > '" + log.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return log;
}

TEST(LogOfVersion010, ReplaysToTheBit) {
  const Workplace here;
  unpack(here);
  const Result again = here.hilda("run --mode replay old.mcap --summary again.json");
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("88 ticks, 41 signals, 3608 samples"), HasSubstr("every bit is as recorded")));
  EXPECT_THAT(again.err, HasSubstr("the log does not say which mathematical library it was made with (hilda 0.1.0"));
  EXPECT_TRUE(nlohmann::json::parse(here.read("again.json")).at("replay").at("identical"));
}

/// What blocks compute of the recorded measurements is really compared: a measurement that was another gives others.
TEST(LogOfVersion010, IsComparedSampleBySample) {
  const Workplace here;
  const std::filesystem::path log = unpack(here);
  std::ifstream file(log, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  const double step = 0.01 * 0.004 * 40; // m: position.y at tick 40
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&step), sizeof step));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(log, std::ios::binary | std::ios::trunc) << bytes;
  const Result again = here.hilda("run --mode replay old.mcap");
  EXPECT_EQ(again.exit, 3) << again.out;
  EXPECT_THAT(again.err, HasSubstr("position.y[0] at t = 0.16 s (tick 40)"));
}

TEST(LogOfVersion010, IsToldAndExported) {
  const Workplace here;
  unpack(here);
  const Result info = here.hilda("info old.mcap");
  EXPECT_EQ(info.exit, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("complete"), HasSubstr("rig.robot.sent")));
  EXPECT_EQ(here.hilda("export old.mcap --csv -o old.csv").exit, 0);
}

} // namespace
} // namespace hilda::test
