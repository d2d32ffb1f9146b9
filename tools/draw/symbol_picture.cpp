#include "tools/draw/symbol_picture.h"

#include <algorithm>
#include <array>

namespace hilda::draw {
namespace {

constexpr double name_size = 11, type_size = 9, detail_size = 8.5, line_height = 11.5;

constexpr std::array<Ink, 6> rate_inks{{{"#1f3a5f", "#f4f8fc"},
                                        {"#8a4b00", "#fdecd2"},
                                        {"#1d6b3a", "#d9f0df"},
                                        {"#6b2c7d", "#ecdaf2"},
                                        {"#5c5c00", "#f3f0b8"},
                                        {"#444444", "#dcdcdc"}}};
constexpr Ink continuous_ink{"#006d77", "#d6f2f0"};

bool has_state(const Symbol& symbol) { return symbol.discrete_state || symbol.continuous_state; }

double line_count(const Symbol& symbol) {
  return 1 + (symbol.type.empty() ? 0 : 1) + static_cast<double>(symbol.details.size()) + (has_state(symbol) ? 0.9 : 0);
}

/// What stands in a gain's triangle: its value, without the parameter's name.
std::string gain_text(const Symbol& symbol) {
  return symbol.details.empty() ? "K" : symbol.details.front().substr(symbol.details.front().find(' ') + 1);
}

void paint_gain(svg::Document& out, const Symbol& symbol, const svg::Style& style, double x, double top,
                const Size& size) {
  out.polygon({x, top, x + size.width, top + size.height / 2, x, top + size.height}, style);
  out.text(x + 6, top + size.height / 2 + 3, gain_text(symbol), {detail_size});
  out.text(x + size.width / 2, top + size.height + 6, symbol.name, {type_size, svg::Anchor::middle, true});
}

void paint_box(svg::Document& out, const Symbol& symbol, const svg::Style& style, double x, double top,
               const Size& size) {
  const bool subsystem = symbol.kind == Symbol::Kind::subsystem;
  out.rectangle(x, top, size.width, size.height, subsystem ? 0 : 3, style);
  if (subsystem)
    out.rectangle(x + 2.5, top + 2.5, size.width - 5, size.height - 5, 0, {style.stroke, "none", 0.7, "", ""});
  const double middle = x + size.width / 2;
  double at = top + (size.height - line_count(symbol) * line_height) / 2 + 9;
  out.text(middle, at, symbol.name, {name_size, svg::Anchor::middle, true});
  if (!symbol.type.empty())
    out.text(middle, at += line_height, symbol.type, {type_size, svg::Anchor::middle, false, true, "#444444"});
  for (const std::string& line : symbol.details)
    out.text(middle, at += line_height, line, {detail_size, svg::Anchor::middle, false, false, "#222222"});
  if (has_state(symbol)) {
    std::string text = symbol.discrete_state ? "z\xE2\x81\xBB\xC2\xB9" : "";
    if (symbol.continuous_state) text += text.empty() ? "1/s" : ", 1/s";
    out.text(middle, at + line_height, text, {type_size, svg::Anchor::middle, true, true, state_ink});
  }
  if (symbol.breaks_loops) out.rectangle(x + 1.5, top + 4, 2.6, size.height - 8, 0, {"", "#333333", 0, "", ""});
}

} // namespace

Ink ink_of_rate(const Sketch& sketch, std::size_t rate) {
  return sketch.rates[rate].continuous ? continuous_ink : rate_inks[rate % rate_inks.size()];
}

Ink ink_of(const Sketch& sketch, const Symbol& symbol) {
  if (symbol.kind == Symbol::Kind::port) return {"#555555", "#ffffff"};
  if (symbol.rate < 0) return {"#333333", "#ffffff"};
  return ink_of_rate(sketch, static_cast<std::size_t>(symbol.rate));
}

Size symbol_size(const Symbol& symbol, double ports) {
  ports += 8;
  if (symbol.kind == Symbol::Kind::sum) return {std::max(26.0, ports * 0.8), std::max(26.0, ports * 0.8)};
  if (symbol.kind == Symbol::Kind::port) return {svg::text_width(symbol.name, type_size) + 16, 18};
  if (symbol.kind == Symbol::Kind::gain) return {(svg::text_width(gain_text(symbol), detail_size) + 10) / 0.72, 42};
  double width = svg::text_width(symbol.name, name_size, true);
  width = std::max(width, svg::text_width(symbol.type, type_size));
  for (const std::string& line : symbol.details) width = std::max(width, svg::text_width(line, detail_size));
  return {width + 20, std::max(line_count(symbol) * line_height + 13, ports)};
}

void paint_symbol(svg::Document& out, const Symbol& symbol, const Ink& ink, double x, double top, const Size& size) {
  const svg::Style style{symbol.in_loop ? loop_ink : ink.stroke, ink.fill, symbol.in_loop ? 2.2 : 1.2, "", ""};
  const double middle = x + size.width / 2;
  out.begin("", symbol.path);
  if (symbol.kind == Symbol::Kind::sum) {
    out.circle(middle, top + size.height / 2, size.width / 2, style);
    out.text(middle, top + size.height + 10, symbol.name, {detail_size, svg::Anchor::middle});
  } else if (symbol.kind == Symbol::Kind::port) {
    out.rectangle(x, top, size.width, size.height, size.height / 2, style);
    out.text(middle, top + 12.5, symbol.name, {type_size, svg::Anchor::middle});
  } else if (symbol.kind == Symbol::Kind::gain) {
    paint_gain(out, symbol, style, x, top, size);
  } else {
    paint_box(out, symbol, style, x, top, size);
  }
  out.end();
}

} // namespace hilda::draw
