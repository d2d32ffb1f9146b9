// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::compile {

/// The discrete blocks that reach continuous ones and hear continuous ones or sources of time themselves, or are
/// random: their outputs change whenever they can, as far as wires tell, and a variable step restarts each time.
std::vector<BlockIndex> restless_blocks(const System& system);

/// What to know of a variable step in this diagram: where it is cut at every tick a fixed one costs less. Empty:
/// nothing.
std::string solver_remark(const System& system);

} // namespace hilda::compile
