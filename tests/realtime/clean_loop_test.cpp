// SPDX-License-Identifier: BSD-3-Clause
// Every diagram's loop runs without allocating, locking, throwing or asking the kernel for more than a nap; a block
// that does is named.
#include "tests/project_folders.h"
#include "watched_run.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

std::string run_command(const fs::path& diagram, const std::string& options) {
  const fs::path folder = fs::temp_directory_path() / ("hilda_clean_loop_" + std::to_string(getpid()));
  fs::create_directories(folder);
  return "HILDA_PLUGIN_PATH='" + build_folder() + "/lib/hilda/plugins:" + build_folder() +
         "/tests/realtime/plugins' '" + build_folder() + "/bin/hilda' run '" + diagram.string() + "' --quiet --log '" +
         (folder / "run.mcap").string() + "' " + options + "; code=$?; rm -rf '" + folder.string() + "'; exit $code";
}

std::vector<fs::path> diagrams() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(source_folder() + "/diagrams")) {
    if (entry.path().extension() == ".xml") found.push_back(entry.path());
  }
  found.emplace_back(source_folder() + "/tests/blocks/every_block.xml");
  std::sort(found.begin(), found.end());
  return found;
}

class LoopOf : public testing::TestWithParam<fs::path> {};

TEST_P(LoopOf, IsClean) {
  const auto run = run_watched(run_command(GetParam(), "--for 3s"));
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  EXPECT_GE(run->loops, 1) << "no loop was watched: " << run->report;
  EXPECT_TRUE(run->offences.empty()) << run->report;
}

INSTANTIATE_TEST_SUITE_P(EveryDiagram, LoopOf, testing::ValuesIn(diagrams()),
                         [](const testing::TestParamInfo<fs::path>& each) { return each.param.stem().string(); });

class SolverOf : public testing::TestWithParam<const char*> {};

TEST_P(SolverOf, IsClean) {
  const fs::path diagram = source_folder() + "/tests/realtime/stiff.xml";
  const auto run = run_watched(run_command(diagram, std::string("--for 3s --solver ") + GetParam()));
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  if (run->output.find("solver-missing") != std::string::npos) GTEST_SKIP() << run->output;
  ASSERT_EQ(run->exit_code, 0) << run->output;
  EXPECT_GE(run->loops, 1) << "no loop was watched: " << run->report;
  EXPECT_TRUE(run->offences.empty()) << run->report;
}

INSTANTIATE_TEST_SUITE_P(VariableStep, SolverOf, testing::Values("dopri5", "rosenbrock", "cvode", "adams"),
                         [](const testing::TestParamInfo<const char*>& each) { return std::string(each.param); });

TEST(LoopThatIsProfiled, IsClean) {
  for (const char* const options : {"--for 3s --profile", "--for 3s --profile --solver dopri5"}) {
    const auto run = run_watched(run_command(source_folder() + "/tests/realtime/stiff.xml", options));
    if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
    ASSERT_EQ(run->exit_code, 0) << run->output;
    EXPECT_GE(run->loops, 1) << "no loop was watched: " << run->report;
    EXPECT_TRUE(run->offences.empty()) << run->report;
  }
}

struct Misdeed {
  const char* act;
  const char* caught_as;
};

class MisdeedAtTick1000 : public testing::TestWithParam<Misdeed> {};

TEST_P(MisdeedAtTick1000, IsCaughtAndTheBlockNamed) {
  const fs::path diagram = source_folder() + "/tests/realtime/misbehaving.xml";
  const auto run = run_watched(run_command(diagram, std::string("--for 1100ms --set culprit.act=") + GetParam().act));
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  if (GetParam().act == std::string("call") && !run->system_calls_watched)
    GTEST_SKIP() << "this kernel does not dispatch system calls to a program";
  ASSERT_EQ(run->offences.size(), 1U) << run->report;
  EXPECT_EQ(run->offences[0].what, GetParam().caught_as);
  EXPECT_EQ(run->offences[0].block, "culprit");
  EXPECT_NE(run->offences[0].called_from.find("misbehave.cpp"), std::string::npos) << run->report;
}

INSTANTIATE_TEST_SUITE_P(Each, MisdeedAtTick1000,
                         testing::Values(Misdeed{"allocate", "malloc"}, Misdeed{"lock", "pthread_mutex_lock"},
                                         Misdeed{"call", "getppid"}),
                         [](const testing::TestParamInfo<Misdeed>& each) { return std::string(each.param.act); });

TEST(MisdeedAfterTheEnd, IsNotSeen) {
  const fs::path diagram = source_folder() + "/tests/realtime/misbehaving.xml";
  const auto run = run_watched(run_command(diagram, "--for 900ms --set culprit.act=allocate"));
  if (!run) GTEST_SKIP() << "the sanitizers replace malloc themselves";
  ASSERT_EQ(run->exit_code, 0) << run->output;
  EXPECT_GE(run->loops, 1) << run->report;
  EXPECT_TRUE(run->offences.empty()) << run->report;
}

} // namespace
} // namespace hilda::test
