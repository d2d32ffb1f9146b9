// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/compile/detail/wires/wire_ends.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Finds the outputs that `<quality>` is on and reads their values into System::quality.
/// Codes: quality-place, quality-value, duplicate-quality, and those of paths and values.
void bind_quality(Flattened& flat, WireEnds& ends, FlattenContext& context);

} // namespace hilda::compile
