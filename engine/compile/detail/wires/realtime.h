// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Reads `<realtime>`, which is in the diagram or in one of its subsystems, into System::realtime.
/// Codes: realtime-value, duplicate-realtime, and those of values.
void read_realtime(Flattened& flat, FlattenContext& context);

} // namespace hilda::compile
