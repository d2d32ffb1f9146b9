// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/live_simulation.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// "level=2 N", as --set has them: of several for one path the last.
std::vector<LiveSetting> given_settings(const std::vector<std::string>& texts);

/// Commands from standard input, until they end the run or are over. How the program ends where a script has a mistake.
std::optional<Exit> converse(LiveSimulation& simulation, Interrupt& interrupt, const CommandDiagram& loaded,
                             ProgressLine& line);

} // namespace hilda::cli
