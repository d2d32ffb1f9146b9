#pragma once

#include "tools/draw/layout.h"
#include "tools/svg/svg.h"

namespace hilda::draw {

struct Ink {
  const char *stroke, *fill;
};
constexpr const char* loop_ink = "#c81e1e"; ///< of an algebraic loop
constexpr const char* state_ink = "#7a3e00";

/// Colours of a rate and of a symbol by its rate: told apart in grey too.
Ink ink_of_rate(const Sketch& sketch, std::size_t rate);
Ink ink_of(const Sketch& sketch, const Symbol& symbol);

/// Room for what a symbol says.
/// @param ports  height that the ports of its busier side take, px
Size symbol_size(const Symbol& symbol, double ports);

/// A box with name, type, parameters and states; a circle for a sum, a triangle for a gain, a capsule for a port.
/// @param x,top  of its left upper corner, px
void paint_symbol(svg::Document& out, const Symbol& symbol, const Ink& ink, double x, double top, const Size& size);

} // namespace hilda::draw
