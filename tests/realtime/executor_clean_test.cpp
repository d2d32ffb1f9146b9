// SPDX-License-Identifier: BSD-3-Clause
// On hardware the loop neither allocates nor locks, and asks the kernel for nothing but time, sleep and sockets; nor
// does it when a cycle is lost, the diagram fails, or it is stopped.
#include "tests/project_folders.h"
#include "watched_run.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* diagram = R"(<diagram format="1" name="clean" period="4 ms">
  <block name="wish" type="devices/Busy" speed="0.1"/>
  <block name="drive" type="devices/Drive"/>
  <limits on="drive.command" magnitude="2" rate="0.5" acceleration="150" stop_time="100 ms"/>
  <block name="culprit" type="misbehaving/Misbehave" at="50"/>
  <block name="end" type="sinks/Terminator"/>
  <connect from="culprit.count" to="end.u"/>
  <connect from="wish.y" to="drive.command"/>
</diagram>
)";

std::optional<WatchedRun> run_clean(const std::string& options) {
  const fs::path folder = fs::temp_directory_path() / ("hilda_clean_executor_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "clean.xml") << diagram;
  auto run = run_watched("HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins' '" + build_folder() +
                         "/bin/hilda' run '" + (folder / "clean.xml").string() + "' --quiet --log '" +
                         (folder / "run.mcap").string() + "' --for 800ms " + options);
  fs::remove_all(folder);
  return run;
}

struct Way {
  const char* name;
  const char* options;
  int exit_code;
};

class PacedLoopThat : public testing::TestWithParam<Way> {};

TEST_P(PacedLoopThat, IsClean) {
  const auto run = run_clean(GetParam().options);
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, GetParam().exit_code) << run->output;
  EXPECT_GE(run->loops, 1) << "no loop was watched: " << run->report;
  EXPECT_TRUE(run->offences.empty()) << run->report;
}

INSTANTIATE_TEST_SUITE_P(Each, PacedLoopThat,
                         testing::Values(Way{"runs", "--arm --witness --time-blocks", 0}, Way{"is_held", "", 0},
                                         Way{"is_profiled", "--arm --profile", 0},
                                         Way{"loses_cycles", "--arm --set drive.quiet_at=50 --set drive.quiet=5", 0},
                                         Way{"loses_its_device", "--arm --set drive.gone_at=50", 3},
                                         Way{"fails", "--arm --set wish.nan_at=50", 3},
                                         Way{"overruns", "--arm --set wish.at=50 --set wish.work=9ms", 0},
                                         Way{"keeps_the_timers_pace", "--arm --set drive.paces=false", 0},
                                         Way{"sends_nothing", "--dry-run", 0}),
                         [](const testing::TestParamInfo<Way>& each) { return std::string(each.param.name); });

TEST(PacedLoop, ThatIsNotCleanIsCaughtAndTheBlockNamed) {
  const auto run = run_clean("--arm --set culprit.act=allocate");
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  ASSERT_EQ(run->offences.size(), 1U) << run->report;
  EXPECT_EQ(run->offences[0].what, "malloc");
  EXPECT_EQ(run->offences[0].block, "culprit");
}

} // namespace
} // namespace hilda::test
