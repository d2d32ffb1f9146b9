// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/project_folders.h"

#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace hilda::test {

/// A file of tests/.../golden as it is.
inline std::string golden_text(const std::string& name) {
  std::ifstream file(source_folder() + "/" GOLDEN_PACKETS "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes of a hexadecimal file; `#` begins a remark.
inline std::vector<std::uint8_t> golden_packet(const std::string& name) {
  std::istringstream lines(golden_text(name));
  std::vector<std::uint8_t> bytes;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) bytes.push_back(static_cast<std::uint8_t>(std::stoul(word, nullptr, 16)));
  }
  return bytes;
}

} // namespace hilda::test
