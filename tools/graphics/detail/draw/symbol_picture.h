// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/sketch/shape.h"
#include "tools/graphics/svg.h"
#include "tools/modules.h"

#include <string>

namespace hilda::graphics::draw {

struct Ink {
  const char *stroke, *fill;
};
constexpr const char* loop_ink = "#c81e1e"; ///< of an algebraic loop
constexpr const char* state_ink = "#7a3e00";
constexpr const char *tag_stroke = "#b8860b", *tag_fill = "#fff8e1", *tag_ink = "#5c4300";
constexpr const char *note_stroke = "#7a8aa0", *note_fill = "#f3f5f8", *note_ink = "#26303c", *link_ink = "#0b57a4";
constexpr const char *area_stroke = "#b9c3d1", *area_fill = "#f7f9fc", *area_ink = "#5b6878";
constexpr double area_title = 10; ///< size of its text, px
constexpr const char *z_inverse = "z\xE2\x81\xBB\xC2\xB9", *integral = "1/s";

/// Colours of a rate and of a symbol by its rate: distinguished in grey too.
Ink ink_of_rate(const Sketch& sketch, std::size_t rate);
Ink ink_of(const Sketch& sketch, const Symbol& symbol);

/// A box with name, type, parameters, states and the names of its ports; a circle for a sum, a triangle for a gain, a
/// capsule for a port of what is drawn, words for a note. What an opened subsystem holds is not painted.
void paint_symbol(svg::Document& out, const Sketch& sketch, const Symbol& symbol, const Shape& shape, double x,
                  double top);

/// "z^-1" and its like, where the symbol holds states.
std::string state_text(const Symbol& symbol);

} // namespace hilda::graphics::draw
