// SPDX-License-Identifier: BSD-3-Clause
// What each refusal says. A case is cases/NAME.xml, whose first remark `<!-- edit: remove g then add ... -->` has the
// operations, and cases/NAME.txt with the exact text. With HILDA_UPDATE_GOLDEN=1 the texts are written; read them.
#include "engine/authoring/diagram_editor.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

const fs::path cases = fs::path(test::source_folder()) / "tests/edit/cases";

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(cases))
    if (entry.path().extension() == ".xml") all.push_back(entry.path().stem().string());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Words> operations_in(const std::string& text) {
  const std::string mark = "<!-- edit: ";
  const std::size_t begin = text.find(mark) + mark.size();
  std::istringstream stream(text.substr(begin, text.find(" -->", begin) - begin));
  std::vector<Words> all(1);
  for (std::string word; stream >> word;) {
    if (word == "then")
      all.emplace_back();
    else
      all.back().push_back(word);
  }
  return all;
}

class EditGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(EditGolden, IsExact) {
  fs::current_path(cases);
  const std::string name = GetParam() + ".xml", text = contents(name);
  DiagramEditor editor(name, (cases / name).string(), text);
  Diagnostics diagnostics;
  EXPECT_FALSE(editor.apply(operations_in(text), diagnostics));
  EXPECT_EQ(editor.text(), text);
  const std::string said = diagnostics.text();
  const fs::path golden = cases / (GetParam() + ".txt");
  if (const char* update = std::getenv("HILDA_UPDATE_GOLDEN"); update != nullptr && *update == '1')
    std::ofstream(golden, std::ios::binary) << said;
  EXPECT_EQ(said, contents(golden));
  EXPECT_NE(said.find("[" + GetParam().substr(0, GetParam().find('.')) + "]"), std::string::npos) << said;
  EXPECT_NE(said.find("\n  help: "), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Cases, EditGolden, ::testing::ValuesIn(names()), [](const auto& one) {
  std::string name = one.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

} // namespace
} // namespace hilda::test
