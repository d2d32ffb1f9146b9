// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/composition.h"
#include "tools/modules.h"

#include <optional>
#include <string>

namespace hilda::graphics::draw {

struct Drawing {
  std::string svg;
  LayoutQuality quality; ///< of the whole page
};

/// The sketch as a control engineer draws it: rows of blocks that form a ring, so that a loop closes; wires between
/// neighbours and named tags for the others. None, and `error`, where it is too large to be looked at.
std::optional<Drawing> draw(const Sketch& sketch, const CompositionOptions& options, std::string& error);

} // namespace hilda::graphics::draw
