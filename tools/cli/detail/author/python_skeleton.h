// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tools/cli/detail/author/block_skeleton.h"
#include "tools/modules.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hilda::cli {

/// What a plugin is made of that replaces a block in Python.
struct PythonSource {
  std::string plugin, file;
  const BlockType* type = nullptr;
  nlohmann::json answer; ///< of python/block_types/translate.py, with the names of `members`
  std::map<std::string, std::string> members;
  RecordedPorts recorded;
  std::string inputs, values, setup; ///< of the test: see RecordedTest
};

/// Its class in C++.
std::string cpp_class_of(const BlockType& type);
/// "output (my_blocks.py:14): a reason", of each method that is the author's to write.
std::vector<std::string> unwritten(const PythonSource& source);
std::vector<PluginFile> skeleton(const PythonSource& source);

} // namespace hilda::cli
