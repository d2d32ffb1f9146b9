// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// A test of a new plugin that holds its block against recorded.csv.
struct RecordedTest {
  std::string plugin, class_name;
  std::string origin;          ///< what was recorded: "the subsystem rig"
  std::string test;            ///< its name
  std::string inputs, outputs; ///< as C++: {"u", {1, 1}}, ...
  std::string setup;           ///< of the bench: ".period = 0.001"
  std::size_t rows = 0;
};

std::string recorded_test_text(const RecordedTest& test);
/// CMakeLists.txt of a plugin with such a test.
std::string recorded_cmake_text(const std::string& plugin);

} // namespace hilda::cli
