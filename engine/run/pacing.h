// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/memory.h"

#include <vector>

namespace hilda::run {

/// The clock of a device, or null where the block, as configured, paces nothing. After configure.
const hilda_clock_1* clock_of(const Memory& memory, BlockIndex block);

/// 1 where the cycle of a block's device is the tick.
Indexed<BlockIndex, unsigned char> pacing_blocks(const System& system, const Memory& memory);

} // namespace hilda::run
