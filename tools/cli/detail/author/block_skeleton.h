// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/author/recorded_ports.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// A file of a new plugin.
struct PluginFile {
  std::string name, text;
};

/// None: `text`, where it is not empty, is reported, and the program ends with `code`.
std::vector<PluginFile> no_files(int& exit, int code, const std::string& text);

/// What a skeleton is made of.
struct SkeletonSource {
  std::string plugin, subsystem, diagram; ///< names; the diagram as a person named it
  SubsystemPorts ports;
  RecordedPorts recorded;
};

/// Why no block can be written that replaces the subsystem, or nothing.
std::string fault_of(const SkeletonSource& source);

/// A plugin with one block that has the subsystem's ports, units and parameters and no body yet, and a test that holds
/// it against what the subsystem gave.
std::vector<PluginFile> skeleton(const SkeletonSource& source);

} // namespace hilda::cli
