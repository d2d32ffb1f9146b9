#pragma once

#include "engine/model/diagnostic.h"
#include "plugins/host/library.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hilda::cli {

/// `--plugins DIR`, as often as wanted.
void add_plugin_option(CLI::App& command, std::vector<std::string>& folders);

/// Loads every plugin there is: of the folder lib/hilda/plugins beside the program's own, of the folders in
/// HILDA_PLUGIN_PATH (separated by ':'), and of `folders`. A folder that is named twice is read once.
void load_plugins(Host& host, const std::vector<std::string>& folders, Diagnostics& diagnostics);

} // namespace hilda::cli
