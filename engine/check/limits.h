#pragma once

#include "engine/check/flatten.h"
#include "engine/check/wire_ends.h"

namespace hilda {

/// Finds the inputs that `<limits>` stand on and reads their values into System::limits.
/// Codes: limits-place, limits-kind, limits-value, duplicate-limits, and those of paths and values.
void bind_limits(Flattened& flat, WireEnds& ends, FlattenContext& context);

} // namespace hilda
