// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "tools/cli/plugin_trial.h"
#include "tools/modules.h"

#include <map>

namespace hilda::cli {

/// The setups of the blocks of `plugin` (a file) in a checked system, by the layout in use; of several blocks of one
/// layout the first. Where the system can be run without touching the world, the signals of that run drive the inputs.
void add_setups(const System& system, const std::string& plugin, std::map<const BlockType*, TrialSetup>& setups);

} // namespace hilda::cli
