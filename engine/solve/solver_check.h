#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/solver_settings.h"

namespace hilda {

/// Whether a run may be solved like this. `clocked`: ticks are due at times of the clock, and no step may take as long
/// as it likes. `choice`: what the run asks for itself. Codes: solver-paced, and the warning tolerance-ignored.
bool check_solver(const SolverSettings& settings, const SolverChoice& choice, bool clocked, Diagnostics& diagnostics);

} // namespace hilda
