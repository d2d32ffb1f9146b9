#pragma once

#include "engine/host/installation.h"
#include "tools/cli/program/arguments.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// `--plugins DIR`, as often as wanted.
void add_plugin_option(Command command, std::vector<std::string>& folders);

/// Where this program lies.
Installation& installation();

} // namespace hilda::cli
