#pragma once

#include "engine/modes/live/live_simulation.h"
#include "tools/cli/loading/diagram.h"
#include "tools/cli/program/interrupt.h"
#include "tools/cli/program/terminal.h"

namespace hilda::cli {

/// `hilda run --watch --keep-state`: the simulation goes on, and whenever a file of its diagram changes it goes on in
/// the changed one, with the states kept, until somebody interrupts. Where its time is over it has as much again from
/// then on; where it has ended otherwise the changed diagram begins at t = 0.
void follow_edits(LiveSimulation& simulation, const DiagramArguments& diagram, const Interrupt& interrupt,
                  ProgressLine& line);

} // namespace hilda::cli
