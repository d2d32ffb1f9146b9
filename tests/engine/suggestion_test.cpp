// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/suggestion.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back("gain" + std::to_string(100 + i));
  return all;
}

TEST(Suggestion, ListsWhatThereIsWhereNothingIsNear) {
  EXPECT_EQ(Suggestions().help("wall", {"lead", "lag"}, "it has"), "it has: lead, lag");
  EXPECT_EQ(Suggestions().help("leas", {"lead", "other"}, "it has"), "did you mean 'lead'?");
}

/// "it has" alone helped no one.
TEST(Suggestion, OfManyNamesSomeAreListed) {
  for (const std::size_t count : {60U, 61U, 500U}) {
    const std::string help = Suggestions().help("wall", names(count), "it has");
    EXPECT_EQ(help.rfind("it has: gain100, gain101, ", 0), 0U) << help;
    EXPECT_EQ(help.find(" and " + std::to_string(count - 16) + " more") != std::string::npos, count > 60) << help;
  }
}

TEST(Suggestion, WhereLettersAreSpentTheHelpStillIsASentence) {
  Suggestions spent;
  const std::vector<std::string> many(40'000, std::string(200, 'n'));
  while (!spent.spent()) spent.near(std::string(200, 'm'), many);
  EXPECT_EQ(spent.help("wall", {}, "it has"), "see how it is written elsewhere");
  EXPECT_EQ(spent.help("wall", {"lead"}, "it has"), "it has: lead");
}

} // namespace
} // namespace hilda::test
