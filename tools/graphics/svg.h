// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda::graphics::svg {

/// How a shape is drawn; empty texts are left out.
struct Style {
  std::string stroke = "#000000", fill = "none";
  double width = 1;       ///< px
  std::string dash = {};  ///< "6 3"
  std::string extra = {}; ///< further attributes, as they are in the file
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 10; ///< px
  Anchor anchor = Anchor::start;
  bool bold = false, italic = false;
  std::string fill = "#000000";
  double turned = 0; ///< degrees, clockwise
};

/// A drawing that grows from the back to the front. Lengths in px of 1/96 inch.
class Document {
public:
  void line(double x1, double y1, double x2, double y2, const Style& style);
  void rectangle(double x, double y, double width, double height, double radius, const Style& style);
  void circle(double x, double y, double radius, const Style& style);
  void polygon(const std::vector<double>& xy, const Style& style);
  /// Straight pieces; `xy` alternates.
  void polyline(const std::vector<double>& xy, const Style& style);
  void text(double x, double y, std::string_view text, const TextStyle& style);
  /// Everything drawn from here to end() is one group, with a title that viewers show on hovering.
  void begin(const std::string& attributes, const std::string& title = "");
  void end();
  /// As it is in the file.
  void raw(const std::string& text) { body_ += text; }

  /// The file: `width` and `height` in px, on a ground.
  std::string text(double width, double height, const std::string& ground = "#ffffff") const;

private:
  std::string body_;
};

/// With the characters escaped that XML gives a meaning; what it does not allow is left out.
std::string escaped(std::string_view text);

/// Width of a text in DejaVu Sans, the type that the drawings name first, in px; italics are as wide.
double text_width(std::string_view text, double size, bool bold = false);

/// Shortened in its middle to a width at most: the end of a signal's name says most.
std::string fitted(const std::string& text, double size, double width, bool bold = false);

/// "12.5": at most two decimals, short.
std::string px(double number);

} // namespace hilda::graphics::svg
