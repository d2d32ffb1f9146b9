#pragma once

#include "engine/plan/memory.h"

#include <vector>

namespace hilda {

/// The clock of a device, or null where the block, as configured, paces nothing. After configure.
const hilda_clock_1* clock_of(const Memory& memory, int block);

/// By block: 1 where its device's cycle is the tick.
std::vector<unsigned char> pacing_blocks(const System& system, const Memory& memory);

} // namespace hilda
