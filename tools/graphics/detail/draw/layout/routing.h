// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/layout.h"
#include "tools/graphics/detail/draw/layout/route_memory.h"
#include "tools/modules.h"

#include <set>
#include <utility>
#include <vector>

namespace hilda::graphics::draw {

/// The corners of an arrow's line, from the output to the input or from where it leaves the net's other lines.
using Route = std::vector<std::pair<double, double>>; ///< px

struct Routes {
  std::vector<std::vector<Route>> of; ///< by net and arrow; empty where it has a tag
  int crossings = 0, bends = 0;
  double length = 0;                                     ///< px
  std::vector<std::pair<std::size_t, std::size_t>> lost; ///< arrows that had to share another net's track
  std::set<std::pair<std::size_t, std::size_t>> by_hand; ///< arrows that turn where the author needs it
};

/// Lines on the grid around symbols and tags (A* with rip-up): a step costs 1, a bend 9, a crossing 14, another net's
/// track 200, a place next to another net's track 1.2, one before someone else's port 8. An arrow with bends of the
/// author has them, unless it would run through a symbol or come to its port from behind.
/// @param memory  of the drawing before, and of this one afterwards; null: all nets are searched
Routes route(const Sketch& sketch, const Placement& placement, RouteMemory* memory = nullptr);

/// Where a port's line meets the symbol's border.
std::pair<double, double> border_point(const Placement& placement, int symbol, const PortGroup& group);

} // namespace hilda::graphics::draw
