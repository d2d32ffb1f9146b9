// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/sketch.h"
#include "tools/modules.h"

#include <vector>

namespace hilda::graphics::draw {

/// Everything lies on this grid, px: borders, ports, wires.
constexpr double grid = 6;
/// Between the border of a note and its text, px.
constexpr double note_edge = 9;
/// Type sizes and the height of a line of port names, px.
constexpr double name_size = 11.5, type_size = 9, detail_size = 9, port_size = 8.5, port_line = 12;

enum class Side { left, right, top, bottom };

/// Ports of a symbol that one line reaches or leaves.
struct PortGroup {
  int net = -1, arrow = -1;    ///< arrow -1: the net begins here
  std::vector<int> ports = {}; ///< from the top; indices into the symbol's inputs or outputs
  Side side = Side::left;
  double at = 0; ///< of the line: from the symbol's top, or from its left on the top and bottom sides, px
  bool input() const { return arrow >= 0; }
};

/// A symbol's size and where its lines begin and end.
struct Shape {
  double width = 0, height = 0; ///< px, multiples of the grid
  double header = 0;            ///< height of name, type and parameters
  std::vector<PortGroup> groups;
};

/// Size of an opened subsystem's drawing.
struct Inside {
  double width = 0, height = 0;
};

/// The shape of each symbol: inputs on the left and outputs on the right, or the other way round where a row of the
/// drawing runs to the left.
std::vector<Shape> shapes_of(const Sketch& sketch, const std::vector<Inside>& insides);
Shape mirrored(Shape shape);

/// The content of a gain's triangle: its value, without the parameter's name.
std::string gain_text(const Symbol& symbol);

} // namespace hilda::graphics::draw
