// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/sketch/shape.h"

#include "tools/graphics/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hilda::graphics::draw {
namespace {

double up_to_grid(double length) { return std::ceil(length / grid - 1e-9) * grid; }

double widest(const std::vector<std::string>& texts, double size) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, svg::text_width(text, size));
  return width;
}

double header_height(const Symbol& symbol) {
  const double lines = 15 + (symbol.type.empty() ? 0 : 12) + 12 * static_cast<double>(symbol.details.size());
  return up_to_grid(lines + 6);
}

double header_width(const Symbol& symbol) {
  // the sign of a state is in the corner, so the name needs room on both sides of the middle
  const double corner = symbol.continuous_state && symbol.discrete_state   ? 34
                        : symbol.continuous_state || symbol.discrete_state ? 18
                                                                           : 4;
  const double name = svg::text_width(symbol.name, name_size, true) + 2 * corner;
  return std::max({name, svg::text_width(symbol.type, type_size), widest(symbol.details, detail_size)}) + 14;
}

/// Places the groups of one side below each other from `top` on; returns where they end.
double stack(std::vector<PortGroup>& groups, Side side, double top) {
  for (PortGroup& group : groups) {
    if (group.side != side) continue;
    const double height = port_line * static_cast<double>(group.ports.size());
    group.at = top + height / 2;
    // the line itself runs on the grid
    const double shift = up_to_grid(group.at) - group.at;
    group.at += shift;
    top += height + shift + grid;
  }
  return top;
}

void shape_of_box(const Symbol& symbol, const Inside& inside, Shape& shape) {
  const double inputs = widest(symbol.inputs, port_size), outputs = widest(symbol.outputs, port_size);
  shape.header = header_height(symbol);
  shape.width = std::max(header_width(symbol), inputs + outputs + (inputs > 0 && outputs > 0 ? 26 : 16));
  const double left = stack(shape.groups, Side::left, shape.header),
               right = stack(shape.groups, Side::right, shape.header);
  shape.height = std::max({left, right, shape.header + 2});
  if (inside.width > 0) {
    shape.width = std::max(shape.width, inputs + inside.width + outputs + 24);
    shape.height = std::max(shape.height, shape.header + inside.height + 12);
  }
  shape.width = up_to_grid(shape.width / 2) * 2;
  shape.height = up_to_grid(shape.height);
}

/// In the middle of its side.
void center(Shape& shape) {
  for (PortGroup& group : shape.groups)
    group.at = group.side == Side::top || group.side == Side::bottom ? shape.width / 2 : shape.height / 2;
}

/// The first input from the left, the second from below, the third from above; more make an oblong.
void shape_of_sum(Shape& shape) {
  const auto inputs =
      std::count_if(shape.groups.begin(), shape.groups.end(), [](const PortGroup& g) { return g.input(); });
  shape.width = shape.height = 36;
  if (inputs > 3) {
    shape.height = up_to_grid(18.0 * static_cast<double>(inputs) + 6);
    int nth = 0;
    for (PortGroup& group : shape.groups)
      group.at = group.input() ? 12 + 18.0 * nth++ : up_to_grid(shape.height / 2 - 3);
    return;
  }
  constexpr std::array<Side, 3> sides{Side::left, Side::bottom, Side::top};
  for (PortGroup& group : shape.groups)
    if (group.input()) group.side = sides[static_cast<std::size_t>(std::clamp(group.ports.front(), 0, 2))];
  center(shape);
}

/// The lines of each symbol, in the order of its ports.
std::vector<std::vector<PortGroup>> groups_of(const Sketch& sketch) {
  std::vector<std::vector<PortGroup>> groups(sketch.symbols.size());
  for (int n = 0; n < static_cast<int>(sketch.nets.size()); ++n) {
    const Net& net = sketch.nets[static_cast<std::size_t>(n)];
    groups[static_cast<std::size_t>(net.from)].push_back({.net = n, .ports = net.outputs, .side = Side::right});
    for (int a = 0; a < static_cast<int>(net.arrows.size()); ++a) {
      const Arrow& arrow = net.arrows[static_cast<std::size_t>(a)];
      PortGroup group{.net = n, .arrow = a};
      for (const Tap& tap : arrow.taps) group.ports.push_back(tap.input);
      groups[static_cast<std::size_t>(arrow.to)].push_back(std::move(group));
    }
  }
  for (std::vector<PortGroup>& each : groups)
    std::stable_sort(each.begin(), each.end(), [](const PortGroup& a, const PortGroup& b) {
      return std::pair(!a.input(), a.ports.front()) < std::pair(!b.input(), b.ports.front());
    });
  return groups;
}

} // namespace

std::string gain_text(const Symbol& symbol) {
  return symbol.details.empty() ? "K" : symbol.details.front().substr(symbol.details.front().find(' ') + 1);
}

std::vector<Shape> shapes_of(const Sketch& sketch, const std::vector<Inside>& insides) {
  std::vector<Shape> shapes;
  std::vector<std::vector<PortGroup>> groups = groups_of(sketch);
  for (int s = 0; s < static_cast<int>(sketch.symbols.size()); ++s) {
    const Symbol& symbol = sketch.symbols[static_cast<std::size_t>(s)];
    Shape shape;
    shape.groups = std::move(groups[static_cast<std::size_t>(s)]);
    switch (symbol.kind) {
    case Symbol::Kind::sum: shape_of_sum(shape); break;
    case Symbol::Kind::gain:
      shape.width = up_to_grid((svg::text_width(gain_text(symbol), detail_size) + 12) / 0.66);
      shape.height = 48;
      center(shape);
      break;
    case Symbol::Kind::port:
      shape.width = up_to_grid(svg::text_width(symbol.name, type_size) + 20), shape.height = 24;
      center(shape);
      break;
    case Symbol::Kind::note:
      shape.width = symbol.note_width;
      shape.height = up_to_grid(port_line * static_cast<double>(symbol.lines.size()) + 2 * note_edge - 3);
      break;
    default: shape_of_box(symbol, insides[static_cast<std::size_t>(s)], shape);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

Shape mirrored(Shape shape) {
  for (PortGroup& group : shape.groups) {
    if (group.side == Side::left) {
      group.side = Side::right;
    } else if (group.side == Side::right) {
      group.side = Side::left;
    }
  }
  return shape;
}

} // namespace hilda::graphics::draw
