// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/layout.h"
#include "tools/modules.h"

namespace hilda::graphics::draw {

/// Places what is in no row, when the rows are placed: first the symbols with anchors, at them, then new symbols
/// near what they are joined with, then sinks in holes. Where an anchor's place is taken, the nearest free one serves;
/// a pinned symbol stays in any case. Without anchors the rows stay as they are.
void settle_the_rest(const Sketch& sketch, const Order& order, Placement& placement);

} // namespace hilda::graphics::draw
