// SPDX-License-Identifier: BSD-3-Clause
// The pages for those who come from another tool name blocks and parameters; each is looked up among the blocks that
// are there.
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace hilda::test {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(source_folder() + "/docs/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> in_backticks(const std::string& text, const char* form) {
  static const std::regex marked("`([^`]+)`");
  const std::regex wanted(form);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), marked), end; it != end; ++it)
    if (const std::string word = (*it)[1]; std::regex_match(word, wanted)) found.push_back(word);
  return found;
}

constexpr const char* type_form = "[a-z_]+/[A-Z][A-Za-z0-9]*";

bool known_to(const BlockType& type, const std::string& word) {
  return std::any_of(type.slots.begin(), type.slots.end(), [&](const Slot& slot) {
    return slot.name == word || std::find(slot.choices.begin(), slot.choices.end(), word) != slot.choices.end();
  });
}

/// Every word of a table's row that could be a port, a parameter or a choice is one of the row's types, or is on
/// every block.
void check_row(const std::string& row, std::size_t& words) {
  static const std::array<std::string, 4> of_all{"sample_time", "enable", "reset", "outputs"};
  const std::vector<std::string> types = in_backticks(row, type_form);
  std::size_t cells = 0, second = 0;
  for (std::size_t at = 0; at < row.size() && cells < 3; ++at)
    if (row[at] == '|' && ++cells == 3) second = at;
  if (types.empty() || second == 0) return;
  for (const std::string& word : in_backticks(row.substr(second), "[A-Za-z_]+")) {
    ++words;
    const bool found = std::any_of(types.begin(), types.end(), [&](const std::string& name) {
      const BlockType* type = all_plugins().catalogue().find(name);
      return type != nullptr && known_to(*type, word);
    });
    EXPECT_TRUE(found || std::find(of_all.begin(), of_all.end(), word) != of_all.end()) << word << " in " << row;
  }
}

void check_page(const std::string& name, std::size_t least_types, std::size_t least_words) {
  std::istringstream lines(page(name));
  std::size_t types = 0, words = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) continue; // of a snippet, which is run
    for (const std::string& type : in_backticks(line, type_form)) {
      ++types;
      EXPECT_NE(all_plugins().catalogue().find(type), nullptr) << name << ": there is no block " << type;
    }
    if (line.starts_with("| ")) check_row(line, words);
  }
  EXPECT_GE(types, least_types) << name;
  EXPECT_GE(words, least_words) << name;
}

TEST(PageNames, OfThePageForSimulinkAreThere) { check_page("from_simulink.md", 100, 120); }

TEST(PageNames, OfThePageForDrakeAreThere) { check_page("from_drake.md", 25, 20); }

} // namespace
} // namespace hilda::test
