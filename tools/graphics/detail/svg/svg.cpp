// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/svg.h"

#include "tools/graphics/detail/svg/advances.h"

#include <cmath>
#include <fmt/format.h>

namespace hilda::graphics::svg {
namespace {

std::string attributes(const Style& style) {
  std::string text = " fill=\"" + style.fill + "\"";
  if (!style.stroke.empty()) text += " stroke=\"" + style.stroke + "\" stroke-width=\"" + px(style.width) + "\"";
  if (!style.dash.empty()) text += " stroke-dasharray=\"" + style.dash + "\"";
  if (!style.extra.empty()) text += " " + style.extra;
  return text;
}

std::string points(const std::vector<double>& xy) {
  std::string text;
  for (std::size_t i = 0; i + 1 < xy.size(); i += 2) {
    if (i > 0) text += ' ';
    text += px(xy[i]) + "," + px(xy[i + 1]);
  }
  return text;
}

/// Advance of a character in 1/2048 of the type's size.
int advance(char32_t c, bool bold) {
  if (c >= first_advance && c <= last_advance) return (bold ? bold_advances : regular_advances)[c - first_advance];
  for (const OddAdvance& odd : odd_advances)
    if (odd.character == c) return bold ? odd.bold : odd.regular;
  return (bold ? bold_advances : regular_advances)['m' - first_advance];
}

/// The next character of a UTF-8 text; bytes that are none count one by one.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at++);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  char32_t c = more == 0 ? lead : lead & (0x3FU >> more);
  for (int i = 0; i < more && at < text.size() && (byte(at) & 0xC0U) == 0x80U; ++i) c = c << 6U | (byte(at++) & 0x3FU);
  return c;
}

} // namespace

std::string px(double number) {
  if (!std::isfinite(number)) return "0";
  std::string text = fmt::format("{:.2f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
      out += c;
    }
  }
  return out;
}

double text_width(std::string_view text, double size, bool bold) {
  int units = 0;
  for (std::size_t at = 0; at < text.size();) units += advance(next_character(text, at), bold);
  return size * units / 2048.0;
}

std::string fitted(const std::string& text, double size, double width, bool bold) {
  if (text_width(text, size, bold) <= width) return text;
  const auto inside = [&text](std::size_t at) { return at < text.size() && (text[at] & 0xC0) == 0x80; };
  for (std::size_t kept = text.size(); kept-- > 1;) {
    const std::size_t head = kept / 3, tail = text.size() - (kept - head);
    if (inside(head) || inside(tail)) continue;
    std::string shorter = text.substr(0, head) + "\xE2\x80\xA6" + text.substr(tail);
    if (text_width(shorter, size, bold) <= width) return shorter;
  }
  return "\xE2\x80\xA6";
}

void Document::line(double x1, double y1, double x2, double y2, const Style& style) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", px(x1), px(y1), px(x2), px(y2),
                       attributes(style));
}

void Document::rectangle(double x, double y, double width, double height, double radius, const Style& style) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}/>\n", px(x), px(y), px(width),
                       px(height), px(radius), attributes(style));
}

void Document::circle(double x, double y, double radius, const Style& style) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", px(x), px(y), px(radius), attributes(style));
}

void Document::polygon(const std::vector<double>& xy, const Style& style) {
  body_ += fmt::format("<polygon points=\"{}\"{}/>\n", points(xy), attributes(style));
}

void Document::polyline(const std::vector<double>& xy, const Style& style) {
  body_ += fmt::format("<polyline points=\"{}\"{}/>\n", points(xy), attributes(style));
}

void Document::text(double x, double y, std::string_view text, const TextStyle& style) {
  if (text.empty()) return;
  std::string more;
  if (style.anchor == Anchor::middle) more += " text-anchor=\"middle\"";
  if (style.anchor == Anchor::end) more += " text-anchor=\"end\"";
  if (style.bold) more += " font-weight=\"bold\"";
  if (style.italic) more += " font-style=\"italic\"";
  if (style.fill != "#000000") more += " fill=\"" + style.fill + "\"";
  if (style.turned != 0) more += fmt::format(" transform=\"rotate({} {} {})\"", px(style.turned), px(x), px(y));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>\n", px(x), px(y), px(style.size), more,
                       escaped(text));
}

void Document::begin(const std::string& attributes, const std::string& title) {
  body_ += "<g" + (attributes.empty() ? "" : " " + attributes) + ">";
  if (!title.empty()) body_ += "<title>" + escaped(title) + "</title>";
  body_ += "\n";
}

void Document::end() { body_ += "</g>\n"; }

std::string Document::text(double width, double height, const std::string& ground) const {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                     "font-family=\"'DejaVu Sans', 'Bitstream Vera Sans', Verdana, sans-serif\">\n"
                     "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n{2}</svg>\n",
                     px(width), px(height), body_, ground);
}

} // namespace hilda::graphics::svg
