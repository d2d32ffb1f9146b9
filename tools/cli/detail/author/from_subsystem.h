// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/author/block_skeleton.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// What `hilda new-plugin --from DIAGRAM:SUBSYSTEM` takes.
struct FromSubsystem {
  std::string from, duration; ///< of the recording; 1 s if empty
  DiagramArguments diagram;   ///< without its file
};

/// Loads the diagram, runs it and writes the files of the plugin; none after a report, with the exit code.
std::vector<PluginFile> files_from_subsystem(const FromSubsystem& arguments, const std::string& plugin, int& exit);

} // namespace hilda::cli
