// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/sketch.h"
#include "tools/modules.h"

#include <string>

namespace hilda::graphics::draw {

/// Does a loop through the block have no feedthrough there?
bool breaks_loops(const SystemBlock& block);
/// Which kinds of state its symbol shows.
void mark_states(const SystemBlock& block, Symbol& symbol);
/// "+-", of a block that has such a parameter; else empty.
std::string sum_signs(const SystemBlock& block);

} // namespace hilda::graphics::draw
