// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/symbol_picture.h"

#include <algorithm>
#include <array>

namespace hilda::graphics::draw {
namespace {

constexpr std::array<Ink, 6> rate_inks{{{"#1f3a5f", "#f4f8fc"},
                                        {"#8a4b00", "#fdecd2"},
                                        {"#1d6b3a", "#d9f0df"},
                                        {"#6b2c7d", "#ecdaf2"},
                                        {"#5c5c00", "#f3f0b8"},
                                        {"#444444", "#dcdcdc"}}};
constexpr Ink continuous_ink{"#006d77", "#d6f2f0"};

void paint_gain(svg::Document& out, const Symbol& symbol, const svg::Style& style, const Shape& shape, double x,
                double top) {
  const bool left = std::any_of(shape.groups.begin(), shape.groups.end(),
                                [](const PortGroup& g) { return g.input() == (g.side == Side::right); });
  const double w = shape.width, h = shape.height, middle = top + h / 2;
  if (left) {
    out.polygon({x + w, top, x, middle, x + w, top + h}, style);
  } else {
    out.polygon({x, top, x + w, middle, x, top + h}, style);
  }
  out.text(x + (left ? w - 6 : 6), middle + 3, gain_text(symbol),
           {detail_size, left ? svg::Anchor::end : svg::Anchor::start});
  out.text(x + w / 2, top + h + 8, symbol.name, {.size = type_size, .anchor = svg::Anchor::middle, .bold = true});
}

void paint_sum(svg::Document& out, const Symbol& symbol, const svg::Style& style, const Shape& shape, double x,
               double top) {
  const double w = shape.width, h = shape.height;
  if (h > w) {
    out.rectangle(x, top, w, h, w / 2, style);
  } else {
    out.circle(x + w / 2, top + h / 2, w / 2, style);
  }
  for (const PortGroup& group : shape.groups) {
    const auto item = static_cast<std::size_t>(std::max(0, group.ports.front()));
    if (!group.input() || item >= symbol.signs.size()) continue;
    // inside, where its line comes in
    double sign_x = x + w / 2, sign_y = top + group.at + 4;
    if (group.side == Side::left) sign_x = x + 9;
    if (group.side == Side::right) sign_x = x + w - 9;
    if (group.side == Side::top) sign_y = top + 13;
    if (group.side == Side::bottom) sign_y = top + h - 5;
    out.text(sign_x, sign_y, symbol.signs[item] == '-' ? "\xE2\x88\x92" : "+",
             {.size = 12, .anchor = svg::Anchor::middle, .bold = true});
  }
  out.text(x + 0.78 * w, top + h + 7, symbol.name, {detail_size}); // clear of a line from below
}

/// Names next to the border, and a bar where several ports share a line.
void paint_ports(svg::Document& out, const Symbol& symbol, const svg::Style& style, const Shape& shape, double x,
                 double top) {
  for (const PortGroup& group : shape.groups) {
    const bool left = group.side == Side::left;
    const double height = port_line * static_cast<double>(group.ports.size()), first = top + group.at - height / 2;
    const auto& names = group.input() ? symbol.inputs : symbol.outputs;
    for (std::size_t i = 0; i < group.ports.size(); ++i)
      out.text(left ? x + 6 : x + shape.width - 6, first + port_line * static_cast<double>(i) + 9,
               names[static_cast<std::size_t>(group.ports[i])],
               {.size = port_size, .anchor = left ? svg::Anchor::start : svg::Anchor::end, .fill = "#333333"});
    if (group.ports.size() > 1)
      out.rectangle(left ? x - 1.2 : x + shape.width - 1.2, first, 2.4, height, 0,
                    {.stroke = "", .fill = style.stroke, .width = 0});
  }
}

void paint_box(svg::Document& out, const Symbol& symbol, const svg::Style& style, const Shape& shape, double x,
               double top) {
  const bool subsystem = symbol.kind == Symbol::Kind::subsystem;
  out.rectangle(x, top, shape.width, shape.height, subsystem ? 0 : 3, style);
  if (subsystem)
    out.rectangle(x + 2.5, top + 2.5, shape.width - 5, shape.height - 5, 0, {.stroke = style.stroke, .width = 0.7});
  const double middle = x + shape.width / 2;
  double at = top + 15;
  out.text(middle, at, symbol.name, {.size = name_size, .anchor = svg::Anchor::middle, .bold = true});
  if (!symbol.type.empty())
    out.text(middle, at += 12, symbol.type,
             {.size = type_size, .anchor = svg::Anchor::middle, .italic = true, .fill = "#444444"});
  for (const std::string& line : symbol.details)
    out.text(middle, at += 12, line, {.size = detail_size, .anchor = svg::Anchor::middle, .fill = "#222222"});
  if (const std::string state = state_text(symbol); !state.empty())
    out.text(x + shape.width - 5, top + 11, state,
             {.size = type_size - 1, .anchor = svg::Anchor::end, .bold = true, .italic = true, .fill = state_ink});
  if (symbol.breaks_loops)
    out.rectangle(middle - 12, top + shape.height - 4, 24, 2.4, 0, {.stroke = "", .fill = "#333333", .width = 0});
  paint_ports(out, symbol, style, shape, x, top);
}

/// Words on a sheet, with a line at the left, so that it does not look like a block.
void paint_note(svg::Document& out, const Symbol& symbol, const Shape& shape, double x, double top) {
  out.rectangle(x, top, shape.width, shape.height, 2, {.stroke = "", .fill = note_fill, .width = 0});
  out.rectangle(x, top, 3, shape.height, 0, {.stroke = "", .fill = note_stroke, .width = 0});
  double y = top + note_edge + 7;
  for (const NoteLine& line : symbol.lines) {
    double at = x + note_edge + line.indent;
    for (const NotePiece& piece : line.pieces) {
      const double width = svg::text_width(piece.text, detail_size, piece.bold);
      if (!piece.link.empty()) out.raw("<a href=\"" + svg::escaped(piece.link) + "\">\n");
      out.text(at, y, piece.text,
               {.size = detail_size, .bold = piece.bold, .fill = piece.link.empty() ? note_ink : link_ink});
      if (!piece.link.empty()) out.raw("</a>\n");
      at += width;
    }
    y += port_line;
  }
}

} // namespace

std::string state_text(const Symbol& symbol) {
  std::string text = symbol.discrete_state ? z_inverse : "";
  if (symbol.continuous_state) text += text.empty() ? integral : std::string(", ") + integral;
  return text;
}

Ink ink_of_rate(const Sketch& sketch, std::size_t rate) {
  return sketch.rates[rate].continuous ? continuous_ink : rate_inks[rate % rate_inks.size()];
}

Ink ink_of(const Sketch& sketch, const Symbol& symbol) {
  if (symbol.kind == Symbol::Kind::port) return {"#555555", "#ffffff"};
  if (symbol.rate < 0) return {"#333333", "#ffffff"};
  return ink_of_rate(sketch, static_cast<std::size_t>(symbol.rate));
}

void paint_symbol(svg::Document& out, const Sketch& sketch, const Symbol& symbol, const Shape& shape, double x,
                  double top) {
  const Ink ink = ink_of(sketch, symbol);
  svg::Style style{.stroke = symbol.in_loop ? loop_ink : ink.stroke,
                   .fill = symbol.inside ? "#fafafa" : ink.fill,
                   .width = symbol.in_loop ? 2.2 : 1.2,
                   .dash = symbol.inside ? "5 3" : ""};
  out.begin("", symbol.path);
  if (symbol.kind == Symbol::Kind::sum) {
    paint_sum(out, symbol, style, shape, x, top);
  } else if (symbol.kind == Symbol::Kind::port) {
    out.rectangle(x, top, shape.width, shape.height, shape.height / 2, style);
    out.text(x + shape.width / 2, top + 15.5, symbol.name, {type_size, svg::Anchor::middle});
  } else if (symbol.kind == Symbol::Kind::note) {
    paint_note(out, symbol, shape, x, top);
  } else if (symbol.kind == Symbol::Kind::gain) {
    paint_gain(out, symbol, style, shape, x, top);
  } else {
    paint_box(out, symbol, style, shape, x, top);
  }
  out.end();
}

} // namespace hilda::graphics::draw
