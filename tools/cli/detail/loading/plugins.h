// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/installation.h"
#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// `--plugins DIR`, any number of times.
void add_plugin_option(Command command, std::vector<std::string>& folders);

/// The types of all plugins, those of these folders too; faults of a plugin are printed on stderr too.
const Catalogue& load_catalogue(const std::vector<std::string>& folders, Diagnostics& diagnostics);

/// Where this program lies.
Installation& installation();

} // namespace hilda::cli
