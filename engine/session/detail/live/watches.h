// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/live_change.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::session {

/// 1 where a block does nothing but watch what moves: a sink that may end the run (it takes a boolean, or has
/// parameters that may change while it runs), and each block whose outputs go to such blocks alone.
Indexed<BlockIndex, unsigned char> watching_blocks(const System& system);

/// Where devices move: does a change leave alone what watches them, as it must the limits of motion? False after
/// live-watch.
bool spares_watches(const System& system, const LiveChange& change, Diagnostics& diagnostics, Location where);
/// The same of parameters of blocks that would be written.
bool spares_watches(const System& system, const std::vector<BlockParameter>& written, Diagnostics& diagnostics,
                    Location where);

} // namespace hilda::session
