// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "tools/modules.h"

#include <vector>

namespace hilda::graphics::draw {

/// Wires of algebraic loops, at later ticks or at the first one.
std::vector<WireIndex> loop_wires(const System& system);

} // namespace hilda::graphics::draw
