// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/live_simulation.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/modules.h"

namespace hilda::cli {

/// `hilda run --watch --keep-state`: the simulation continues, and whenever a file of its diagram changes it continues
/// in the changed one, with the states kept, until someone interrupts. Where its time is over it has as much again from
/// then on; where it has ended otherwise the changed diagram begins at t = 0.
void follow_edits(LiveSimulation& simulation, const DiagramArguments& diagram, const Interrupt& interrupt,
                  ProgressLine& line);

} // namespace hilda::cli
