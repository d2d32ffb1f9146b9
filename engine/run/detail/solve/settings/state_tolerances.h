// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/run/detail/solve/methods/one_step_method.h"
#include "engine/run/schedule.h"

#include <optional>

namespace hilda::run {

/// The tolerances of every continuous state: that of its name, "swing.x", or of its block's name, where the block has
/// one state, else the common one. None after errors. Codes: bad-tolerance, unknown-state, unit-mismatch and others of
/// values.
std::optional<Tolerances> state_tolerances(const System& system, const Schedule& schedule,
                                           const SolverSettings& settings, Diagnostics& diagnostics);

} // namespace hilda::run
