// SPDX-License-Identifier: BSD-3-Clause
// The blocks of every diagram keep what they declare, in every tick of a run with contacts.
#include "program.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> diagrams() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(source_folder() + "/diagrams"))
    if (entry.path().extension() == ".xml") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

class DeclarationsOf : public testing::TestWithParam<fs::path> {};

TEST_P(DeclarationsOf, HoldInEveryTick) {
  const Result audit = Workplace().hilda("check '" + GetParam().string() + "' --audit");
  EXPECT_EQ(audit.exit, 0) << audit.out << audit.err;
  EXPECT_THAT(audit.out, testing::HasSubstr(" calls, 0 findings\n"));
  EXPECT_EQ(audit.err.find("was not compared"), std::string::npos) << audit.err;
}

INSTANTIATE_TEST_SUITE_P(EveryDiagram, DeclarationsOf, testing::ValuesIn(diagrams()),
                         [](const testing::TestParamInfo<fs::path>& each) { return each.param.stem().string(); });

} // namespace
} // namespace hilda::test
