// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::plugin {

/// A Python file that declares blocks, as its text shows without running it.
struct ScriptFile {
  std::string path;
  std::vector<std::string> classes; ///< those with a decorator `block`
};

/// The classes of a file; empty where it declares no block, or cannot be read.
std::vector<std::string> classes_in(const std::string& file);

/// Those files *.py of a folder that declare blocks, sorted by name.
std::vector<ScriptFile> scripts_in(const std::string& folder);

} // namespace hilda::plugin
