// SPDX-License-Identifier: BSD-3-Clause
#include "tests/project_folders.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void collect(const std::string& text, const std::regex& pattern, std::set<std::string>& names) {
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    names.insert((*at)[1].str() + "." + (*at)[2].str());
}

TEST(DiagramRules, EveryRuleNamesATestThatExists) {
  const fs::path project = hilda::test::source_folder();
  std::set<std::string> tests, named;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(project / "tests"))
    if (entry.path().extension() == ".cpp")
      collect(contents(entry.path()), std::regex(R"(TEST(?:_F|_P)?\((\w+),\s*(\w+)\))"), tests);
  const std::string page = contents(project / "docs/diagram.md");
  collect(page, std::regex(R"(([A-Z]\w+)\.([A-Z]\w+)(?=, |\]))"), named);
  EXPECT_GT(named.size(), 80u) << "docs/diagram.md is no longer read";
  for (const std::string& name : named) EXPECT_EQ(tests.count(name), 1u) << name << " of docs/diagram.md";
  // Every rule ends with the tests that hold it.
  EXPECT_FALSE(std::regex_search(page, std::regex(R"(\n- [^\n]*[^\]\n]\n)")))
      << "a rule of docs/diagram.md names no test";
}

} // namespace
