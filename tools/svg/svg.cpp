#include "tools/svg/svg.h"

#include <cmath>
#include <fmt/format.h>

namespace hilda::svg {
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

/// Advance of a character in thousandths of the type's size, by class.
int advance(char32_t c) {
  if (c == 'i' || c == 'j' || c == 'l' || c == '\'' || c == '|') return 230;
  if (c == ' ' || c == '.' || c == ',' || c == ':' || c == ';' || c == 'f' || c == 't' || c == 'I' || c == '/' ||
      c == '[' || c == ']' || c == '!')
    return 290;
  if (c == 'r' || c == '-' || c == '(' || c == ')') return 345;
  if (c == 'm' || c == 'M') return 845;
  if (c == 'w' || c == 'C' || c == 'D' || c == 'H' || c == 'N' || c == 'R' || c == 'U') return 725;
  if (c == 'W' || c == '%' || c == '@') return 945;
  if (c == 'G' || c == 'O' || c == 'Q') return 780;
  if (c == 'A' || c == 'B' || c == 'E' || c == 'K' || c == 'P' || c == 'S' || c == 'V' || c == 'X' || c == 'Y')
    return 670;
  if (c == '=' || c == '+' || c == '<' || c == '>') return 590;
  return 565;
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
  int thousandths = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) thousandths += advance(static_cast<unsigned char>(c));
  return size * thousandths / 1000.0 * (bold ? 1.08 : 1.0);
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

std::string Document::text(double width, double height) const {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                     "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
                     "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{2}</svg>\n",
                     px(width), px(height), body_);
}

} // namespace hilda::svg
