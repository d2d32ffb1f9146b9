// SPDX-License-Identifier: BSD-3-Clause
// Every diagram that comes with hilda, worked with by a machine: no crash, no hang, and what was done is done again to
// the bit, by each log and by the overlay. HILDA_SESSION_SEED and HILDA_SESSION_ACTS make it another and a longer one.
#include "tests/live/random_session.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> diagrams() {
  std::vector<std::string> all{source_folder() + "/tests/blocks/every_block.xml"};
  for (const auto& each : fs::directory_iterator(source_folder() + "/diagrams"))
    if (each.path().extension() == ".xml" && each.path().stem() != "measure_delay") all.push_back(each.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

unsigned from_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

class RandomSessions : public testing::TestWithParam<std::string> {};

TEST_P(RandomSessions, AreDoneAgainToTheBit) {
  const unsigned seed = from_environment("HILDA_SESSION_SEED", 1), acts = from_environment("HILDA_SESSION_ACTS", 40);
  const fs::path folder = fs::temp_directory_path() / ("hilda_session_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  {
    RandomSession session(GetParam(), folder, seed);
    for (unsigned i = 0; i < acts && !HasFailure(); ++i) session.act();
    session.end();
    EXPECT_EQ(session.other_by_overlay(), "") << session.script();
    for (const std::string& log : session.logs())
      EXPECT_EQ(replayed_otherwise(log), "") << log << "\n" << session.script();
    RecordProperty("taken", static_cast<int>(session.taken));
    RecordProperty("refused", static_cast<int>(session.refused));
    RecordProperty("back", static_cast<int>(session.back));
    EXPECT_GT(session.refused, 0u);
  }
  if (!HasFailure()) fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Live, RandomSessions, testing::ValuesIn(diagrams()),
                         [](const auto& each) { return fs::path(each.param).stem().string(); });

} // namespace
} // namespace hilda::test
