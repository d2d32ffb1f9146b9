#pragma once

#include "tools/draw/layout.h"

#include <cstddef>
#include <vector>

namespace hilda::draw {

/// Where a net leaves or enters a symbol: its height on the symbol's right or left side.
struct PortPlace {
  int net = -1, end = -1; ///< end: index into Net::to; -1: the net's start
  double y = 0;           ///< px
};

/// A net's piece between two ranks: what comes in from the left and from the right, joined by a vertical line.
struct Crossbar {
  int net = -1;
  std::vector<double> left, right; ///< heights, px
  int track = -1;                  ///< of the vertical line, counted from the left; -1: it runs straight through
  double low() const;
  double high() const;
};

/// The channel on the right of rank `index - 1`, the first one on the left of all ranks.
struct Channel {
  std::vector<Crossbar> bars;
  int tracks = 0;
};

/// All wires, as horizontal lines across the ranks and vertical ones in the channels between.
struct Wiring {
  std::vector<std::vector<PortPlace>> inputs, outputs; ///< by symbol, from the top
  std::vector<Channel> channels;                       ///< ranks + 1
};

/// Height that a port takes with so many lines of label over its wire, px.
double port_room(std::size_t lines);

/// Ports are placed in the order of where their wires come from and go to; vertical lines take tracks so that they
/// cross as little as a search by exchange finds, and never lie on each other.
Wiring wire_up(const Sketch& sketch, const std::vector<Size>& sizes, const Layout& layout);

} // namespace hilda::draw
