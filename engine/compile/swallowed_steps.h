// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Steps at t = 0 that reach a block which starts at rest at its first input, and whose author has not declared that
/// this is meant: the block never sees them. Code: step-swallowed.
void warn_of_swallowed_steps(const System& system, Diagnostics& diagnostics);

} // namespace hilda::compile
