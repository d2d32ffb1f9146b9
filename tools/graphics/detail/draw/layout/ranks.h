// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/sketch.h"
#include "tools/modules.h"

#include <vector>

namespace hilda::graphics::draw {

/// For each symbol how far along the flow it is: ranks by longest path, so that feedback alone runs back. Symbols
/// that are left out get 0 and are followed by no one.
std::vector<int> ranks_of(const Sketch& sketch, const std::vector<bool>& left_out, int start);

} // namespace hilda::graphics::draw
