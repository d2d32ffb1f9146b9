// SPDX-License-Identifier: BSD-3-Clause
#include "tests/drivers_kuka/golden_files.h"
#include "tests/project_folders.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace hilda::kuka::test {

std::string golden(const std::string& name) {
  std::ifstream file(hilda::test::source_folder() + "/tests/drivers_kuka/golden/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

EthernetFile golden_ethernet() {
  std::vector<std::string> problems;
  EthernetFile file = read_ethernet_text(golden("ethernet.xml"), problems);
  EXPECT_TRUE(problems.empty()) << problems.front();
  return file;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string with_all(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

} // namespace hilda::kuka::test
