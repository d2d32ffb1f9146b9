#pragma once

#include "engine/modes/live/live_simulation.h"
#include "tools/cli/loading/diagram.h"
#include "tools/cli/program/command.h"
#include "tools/cli/program/interrupt.h"
#include "tools/cli/program/terminal.h"

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
