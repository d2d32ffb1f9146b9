// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/author/block_skeleton.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// Runs FILE:CLASS, records the block with random inputs and writes the files of a plugin with the same block in C++;
/// none after a report, with the exit code. `left`: a line for each method that the author writes.
std::vector<PluginFile> files_from_python(const std::string& from, const std::string& plugin,
                                          std::vector<std::string>& left, int& exit);

} // namespace hilda::cli
