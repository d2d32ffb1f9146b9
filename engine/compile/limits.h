// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/compile/detail/wires/wire_ends.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Finds the inputs that `<limits>` are on and reads their values into System::limits; in mode "hardware" they are
/// required. Codes: limits-place, limits-kind, limits-value, duplicate-limits, and those of paths and values.
void bind_limits(Flattened& flat, WireEnds& ends, FlattenContext& context);

/// Every input that moves something outside has all limits of its kind, and its block knows where it rests.
/// Codes: limits-missing, rest-unknown.
void require_limits(const System& system, Diagnostics& diagnostics);

} // namespace hilda::compile
