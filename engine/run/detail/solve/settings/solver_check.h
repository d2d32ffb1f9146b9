// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/run/memory.h"

namespace hilda::run {

/// Whether a run may be solved like this. `clocked`: ticks are due at times of the clock, and no step may take as long
/// as it likes. `choice`: what the run asks for itself. Codes: solver-paced, and the warning tolerance-ignored.
bool check_solver(const SolverSettings& settings, const SolverChoice& choice, bool clocked, Diagnostics& diagnostics);

/// Warns of block types that act at events alone, where the run locates none: code events-unlocated.
void warn_of_unlocated_events(const System& system, const Memory& memory, const SolverSettings& settings, bool clocked,
                              Diagnostics& diagnostics);

} // namespace hilda::run
