// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/run/memory.h"

namespace hilda::run {

/// Signals that no machine could hold are reported with their block, before memory is asked for.
bool signals_fit(const System& system, Diagnostics& diagnostics);
/// Delay lines take too much: one by itself, or all together.
void report_rings(const System& system, const Memory& memory, Diagnostics& diagnostics);

} // namespace hilda::run
