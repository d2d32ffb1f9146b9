// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

namespace hilda::compile {

/// How the diagram needs its continuous states carried: `solver`, `rtol`, `atol` and `max_step` of the top diagram.
/// Codes: unknown-solver and those of values and expressions.
SolverSettings settle_solver(Flattened& flat, const DiagramDecl& top, FlattenContext& context);

} // namespace hilda::compile
