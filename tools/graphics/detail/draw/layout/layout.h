// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/sketch/shape.h"
#include "tools/modules.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hilda::graphics::draw {

/// Where a symbol is.
struct Spot {
  double x = 0, y = 0; ///< of its left upper corner, px
  int row = 0, column = 0;
  bool mirrored = false; ///< its row runs to the left
  bool apart = false;    ///< is at its own place and in no row or column
  bool pinned = false;   ///< the author has put it there
};

/// Which arrows are not drawn as wires: a tag at the input names the output instead. By net and arrow.
using Tagged = std::vector<std::vector<bool>>;

/// The ranks in rows: the first runs to the right, the second below it back to the left, and so on, so that a loop
/// closes.
struct Fold {
  std::vector<int> first; ///< rank with which each row begins
};

/// Symbols in their places, without the wires.
struct Placement {
  Fold fold;
  Tagged tagged;
  std::vector<Shape> shapes; ///< mirrored where the row is
  std::vector<Spot> spots;
  double width = 0, height = 0; ///< px, from 0
  double left = 0, top = 0;     ///< where the origin of anchors lies, px
};

/// Where a symbol has to be: its left upper corner in px from an origin that no edit of the diagram moves.
struct Anchor {
  double x = 0, y = 0;
  bool pinned = false; ///< by the author; otherwise it was there in the drawing before
  bool edited = false; ///< its size or its tags are others than before
};

/// Fixed before the places are: the rank of each symbol, and which symbols are sinks. A sink only watches: it
/// has several sources and nothing behind it. Sinks have tags on all inputs and are where there is room.
struct Order {
  std::vector<int> rank; ///< by symbol
  std::vector<bool> sink;
  std::map<int, std::pair<double, double>> wish; ///< of sinks: where they were, px
  std::map<int, Anchor> anchors;                 ///< by symbol
  int ranks = 0;
};
/// @param start  symbol with which the first row begins; -1: where the flow begins
Order order_of(const Sketch& sketch, std::size_t sources_of_a_sink, int start);

/// What the tag of an arrow says, a line each: "identification.damping".
std::vector<std::string> tag_lines(const Sketch& sketch, const Net& net, const Arrow& arrow);
double tag_width(const std::vector<std::string>& lines);
/// Are both ends where the author has put them? Then they are joined by a wire, however far it is.
bool by_hand(const Placement& placement, int from, int to);
/// Room next to a symbol for the tags of its inputs, px.
double tags_beside(const Sketch& sketch, const Placement& placement, int symbol);

/// Height of a port's line from the drawing's top.
double line_y(const Placement& placement, int symbol, const PortGroup& group);

/// Places the symbols of each row in columns, heights so that wires run straight where they can.
Placement place(const Sketch& sketch, const std::vector<Shape>& shapes, const Order& order, const Fold& fold,
                Tagged tagged);

/// Tags for wires that would span too much (draw.md has the rule): neighbours are always drawn, and each loop keeps a
/// way round that is drawn.
Tagged tags_for(const Sketch& sketch, const Order& order, const Placement& placement);

} // namespace hilda::graphics::draw
