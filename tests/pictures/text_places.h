// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/modules.h"
#include "tools/graphics/svg.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hilda::test {

/// A text of a picture and the room that it takes, px.
struct TextPlace {
  std::string text;
  double left, top, right, bottom;
};

inline std::vector<TextPlace> texts_of(const std::string& svg) {
  std::vector<TextPlace> places;
  for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    const std::string element = svg.substr(at, svg.find("</text>", at) - at);
    const std::string text = element.substr(element.find('>') + 1), head = element.substr(0, element.find('>'));
    const auto number = [&head](const std::string& name) {
      return std::stod(head.substr(head.find(" " + name + "=\"") + name.size() + 3));
    };
    const auto has = [&head](const char* part) { return head.find(part) != std::string::npos; };
    const double x = number("x"), y = number("y"), size = number("font-size");
    const double width = svg::text_width(text, size, has("font-weight=\"bold\""));
    const double before = has("\"middle\"") ? width / 2 : has("\"end\"") ? width : 0;
    const double up = 0.76 * size, down = 0.2 * size;
    if (has("rotate(-90"))
      places.push_back({text, x - up, y - width + before, x + down, y + before});
    else
      places.push_back({text, x - before, y - up, x - before + width, y + down});
  }
  return places;
}

/// No text lies on another one or beyond the picture's edges.
inline void expect_readable(const std::string& svg, const std::string& what) {
  const auto size_of = [&svg](const std::string& name) {
    return std::stod(svg.substr(svg.find(name + "=\"") + name.size() + 2));
  };
  const double width = size_of("width"), height = size_of("height");
  const std::vector<TextPlace> all = texts_of(svg);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TextPlace& a = all[i];
    EXPECT_TRUE(a.left >= 0 && a.top >= 0 && a.right <= width && a.bottom <= height)
        << what << ": '" << a.text << "' is beyond the edge: " << a.left << " to " << a.right << " of " << width;
    for (std::size_t j = 0; j < i; ++j) {
      const TextPlace& b = all[j];
      EXPECT_FALSE(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          << what << ": '" << a.text << "' lies on '" << b.text << "'";
    }
  }
}

} // namespace hilda::test
