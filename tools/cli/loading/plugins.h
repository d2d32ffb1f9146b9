#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/host/library.h"
#include "tools/cli/program/arguments.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// `--plugins DIR`, as often as wanted.
void add_plugin_option(Command command, std::vector<std::string>& folders);

/// The host of this program's plugins. They stay loaded to its very end: what reports at exit, such as a profiler or
/// the watcher of the loop, still finds their code.
Host& plugin_host();

/// Where plugins are looked for: lib/hilda/plugins beside the program's own folder, HILDA_PLUGIN_PATH, then `more`.
std::vector<std::string> plugin_folders(const std::vector<std::string>& more);

/// Loads every plugin there is into the program's host: of the folder lib/hilda/plugins beside the program's own, of
/// the folders in HILDA_PLUGIN_PATH (separated by ':'), and of `folders`. A folder that is named twice is read once.
void load_plugins(const std::vector<std::string>& folders, Diagnostics& diagnostics);

} // namespace hilda::cli
