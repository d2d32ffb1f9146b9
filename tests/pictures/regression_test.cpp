// SPDX-License-Identifier: BSD-3-Clause
// What must not change, held by hilda compare: the same diagram gives the same bits, however it is run.
#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

const std::filesystem::path diagrams = source_folder() + "/diagrams";

std::vector<std::string> all_diagrams() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(diagrams))
    if (file.path().extension() == ".xml") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class EveryDiagram : public testing::TestWithParam<std::string> {
protected:
  void run(const std::string& log, const std::string& options = "") const {
    const Result ran = here.hilda("run '" + (diagrams / (GetParam() + ".xml")).string() +
                                  "' --quiet --for 400ms --log " + log + " " + options);
    ASSERT_EQ(ran.exit, 0) << ran.err;
  }
  Workplace here;
};

TEST_P(EveryDiagram, GivesTheSameBitsEachTime) {
  run("a.mcap");
  run("b.mcap");
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 0) << compared.out;
}

TEST_P(EveryDiagram, GivesTheSameBitsWhenMoreOfItIsRecorded) {
  run("a.mcap");
  run("b.mcap", "--log-all");
  const Result compared = here.hilda("compare a.mcap b.mcap");
  const bool differs = compared.out.find("beyond tolerance") != std::string::npos;
  EXPECT_FALSE(differs) << compared.out;
}

INSTANTIATE_TEST_SUITE_P(Each, EveryDiagram, testing::ValuesIn(all_diagrams()),
                         [](const testing::TestParamInfo<std::string>& each) { return each.param; });

/// Without continuous blocks there is nothing to solve.
TEST(Solver, LeavesADiscreteDiagramAsItIs) {
  Workplace here;
  const std::string line = "run '" + (diagrams / "pida.xml").string() + "' --quiet --for 1s --log ";
  ASSERT_EQ(here.hilda(line + "a.mcap --solver rk4").exit, 0);
  ASSERT_EQ(here.hilda(line + "b.mcap --solver euler").exit, 0);
  const Result compared = here.hilda("compare a.mcap b.mcap");
  EXPECT_EQ(compared.exit, 0) << compared.out;
}

/// Two solvers of a continuous diagram agree as far as their order lets them, and not bit by bit.
TEST(Solver, ChangesAContinuousDiagramByLittle) {
  Workplace here;
  const std::string line =
      "run '" + (diagrams / "emulation_unconstrained.xml").string() + "' --quiet --for 400ms --log ";
  ASSERT_EQ(here.hilda(line + "a.mcap --solver rk4").exit, 0);
  ASSERT_EQ(here.hilda(line + "b.mcap --solver euler").exit, 0);
  EXPECT_EQ(here.hilda("compare a.mcap b.mcap --signals emulator.arm.q").exit, 1);
  const Result near = here.hilda("compare a.mcap b.mcap --signals emulator.arm.q --tolerance 1e-3");
  EXPECT_EQ(near.exit, 0) << near.out;
}

} // namespace
} // namespace hilda::test
