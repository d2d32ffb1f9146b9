#pragma once

#include "engine/modes/live/live_simulation.h"
#include "tools/cli/loading/diagram.h"
#include "tools/cli/program/command.h"
#include "tools/cli/program/interrupt.h"
#include "tools/cli/program/terminal.h"

#include <optional>

namespace hilda::cli {

/// Commands from standard input, until they end the run or are over. How the program ends where a script has a mistake.
std::optional<Exit> converse(LiveSimulation& simulation, Interrupt& interrupt, const CommandDiagram& loaded,
                             ProgressLine& line);

} // namespace hilda::cli
