// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/project_folders.h"

#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

namespace hilda::test {
namespace {

const std::string path = source_folder() + "/tests/blocks/every_block.xml";

TEST(EveryBlock, IsInTheDiagramThatTheLoopTrapWatches) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& type : block_types())
    EXPECT_NE(text.find("type=\"" + type + "\""), std::string::npos) << type << " is missing in " << path;
}

TEST(EveryBlock, KeepsWhatItDeclaresInACommonRun) {
  const Trial trial = run_file(path, 3);
  EXPECT_EQ(trial.errors, "");
  EXPECT_EQ(trial.audit, "");
  EXPECT_EQ(trial.ending.kind, Ending::Kind::stopped);
  EXPECT_EQ(trial.ending.block, "stop");
}

} // namespace
} // namespace hilda::test
