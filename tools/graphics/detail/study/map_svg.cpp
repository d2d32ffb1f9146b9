// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/study_map.h"

#include "tools/graphics/detail/plot/ticks.h"
#include "tools/graphics/detail/study/lines_figure.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace hilda::graphics {
namespace {

using svg::Anchor;
using svg::Document;

constexpr double panel_width = 230, panel_height = 170, gap = 26, top = 58, below = 44, scale_height = 56;
constexpr double label_size = 9, name_width = 16;

/// Left of a panel: the name of what is up, and its labels.
double left_of_panel(const MapAxis& up) {
  double widest = 0;
  for (const std::string& label : up.labels) widest = std::max(widest, svg::text_width(label, label_size));
  return std::max(62.0, name_width + widest + 12);
}

/// Dark to light, distinguished by lightness alone: viridis at eight places.
std::string colour(double part) {
  constexpr std::array<std::array<int, 3>, 8> stops = {{{68, 1, 84},
                                                        {70, 50, 127},
                                                        {54, 92, 141},
                                                        {39, 127, 142},
                                                        {31, 161, 135},
                                                        {74, 194, 109},
                                                        {159, 218, 58},
                                                        {253, 231, 37}}};
  const double at = std::clamp(part, 0.0, 1.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double rest = at - static_cast<double>(i);
  std::array<int, 3> mixed{};
  for (std::size_t c = 0; c < 3; ++c)
    mixed[c] = static_cast<int>(std::lround(stops[i][c] * (1 - rest) + stops[i + 1][c] * rest));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

/// From the least to the greatest mean; by decades where they lie that far apart.
struct ColourScale {
  double low = 0, high = 1;
  bool decades = false;

  ColourScale(const StudyMap& map, const MapStyle& style) {
    std::vector<double> means;
    for (const auto& panel : map.cells)
      for (const MapCell& cell : panel)
        if (std::isfinite(cell.mean())) means.push_back(cell.mean());
    if (!means.empty()) {
      const auto [least, greatest] = std::minmax_element(means.begin(), means.end());
      low = *least, high = *greatest;
    }
    low = style.least.value_or(low), high = style.greatest.value_or(high);
    decades = low > 0 && high >= 100 * low;
    if (!(high > low)) high = low + std::max(std::abs(low) * 1e-9, 1e-9);
  }
  double part(double number) const {
    if (decades) return std::log(number / low) / std::log(high / low);
    return (number - low) / (high - low);
  }
  double at(double part) const { return decades ? low * std::pow(high / low, part) : low + (high - low) * part; }
};

/// Labels of an axis that do not overlap: every n-th.
std::size_t label_step(const MapAxis& axis, double cell, bool across) {
  double widest = 0;
  for (const std::string& label : axis.labels) widest = std::max(widest, svg::text_width(label, label_size));
  const double needed = across ? widest + 6 : 12;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell)));
}

/// Numbers along the scale of colours, and their places from 0 to 1.
struct ScaleNumbers {
  std::vector<double> at;
  std::vector<std::string> labels;
  plot::AxisUnit unit;
};

ScaleNumbers numbers_of(const ColourScale& scale, const std::string& unit, double width) {
  const double largest = std::max(std::abs(scale.low), std::abs(scale.high));
  ScaleNumbers numbers;
  numbers.unit = scale.decades ? plot::AxisUnit{1, unit} : plot::axis_unit(unit, largest);
  if (scale.high - scale.low < 1e-5 * largest) { // round numbers would need many digits
    numbers.unit = {1, unit};
    numbers.at = {0.5}, numbers.labels = {fmt::format("{:.6g} + {:.1e}", scale.low, scale.high - scale.low)};
    return numbers;
  }
  const double factor = numbers.unit.factor;
  plot::Ticks ticks = scale.decades
                          ? plot::decade_ticks(std::log10(scale.low), std::log10(scale.high))
                          : plot::round_ticks(scale.low / factor, scale.high / factor, static_cast<int>(width / 44));
  for (std::size_t i = 0; i < ticks.at.size(); ++i)
    numbers.at.push_back(scale.part(scale.decades ? std::pow(10.0, ticks.at[i]) : ticks.at[i] * factor));
  numbers.labels = std::move(ticks.labels);
  return numbers;
}

class Panels {
public:
  Panels(const StudyMap& map, const MapStyle& style, double left, Document& document)
      : map_(map), style_(style), document_(document), scale_(map, style), left_(left),
        cell_width_(panel_width / static_cast<double>(map.across.size())),
        cell_height_(panel_height / static_cast<double>(map.up.size())) {}

  void draw(std::size_t panel, double x, double y, bool names_up, bool names_across) {
    document_.text(x, y - 7, svg::fitted(map_.panels[panel], 11, panel_width, true), {.size = 11, .bold = true});
    for (std::size_t row = 0; row < map_.up.size(); ++row)
      for (std::size_t column = 0; column < map_.across.size(); ++column) draw_cell(panel, x, y, row, column);
    if (style_.limit) draw_limit(panel, x, y);
    document_.rectangle(x, y, panel_width, panel_height, 0, {.width = 0.8});
    label(x, y, names_up, names_across);
  }

  /// Its name and the limit above, numbers below.
  void draw_scale(double x, double y, double width) {
    constexpr int steps = 96;
    const ScaleNumbers numbers = numbers_of(scale_, map_.unit, width);
    for (int i = 0; i < steps; ++i)
      document_.rectangle(x + width * i / steps, y, width / steps + 0.4, 10, 0,
                          {.stroke = "none", .fill = colour((i + 0.5) / steps)});
    double end = 0; // of the label before
    for (std::size_t i = 0; i < numbers.at.size(); ++i) {
      const double at = x + width * numbers.at[i], half = svg::text_width(numbers.labels[i], label_size) / 2;
      if (at - half < end + 6) continue;
      document_.line(at, y + 10, at, y + 13, {.width = 0.8});
      document_.text(at, y + 23, numbers.labels[i], {.size = label_size, .anchor = Anchor::middle});
      end = at + half;
    }
    std::string limit;
    if (style_.limit) limit = fmt::format("line: {:.4g}{}", *style_.limit, map_.unit.empty() ? "" : " " + map_.unit);
    document_.text(x + width, y - 5, limit, {.size = label_size, .anchor = Anchor::end});
    const std::string name = map_.figure + (numbers.unit.text.empty() ? "" : " [" + numbers.unit.text + "]");
    document_.text(x, y - 5, svg::fitted(name, 10, width - svg::text_width(limit, label_size) - 10), {.size = 10});
  }

private:
  const MapCell& cell(std::size_t panel, std::size_t row, std::size_t column) const {
    return map_.cells[panel][row * map_.across.size() + column];
  }
  double left_of(double x, std::size_t column) const { return x + cell_width_ * static_cast<double>(column); }
  double top_of(double y, std::size_t row) const {
    return y + panel_height - cell_height_ * static_cast<double>(row + 1);
  }

  void draw_cell(std::size_t panel, double x, double y, std::size_t row, std::size_t column) {
    const MapCell& at = cell(panel, row, column);
    const double mean = at.mean(), cx = left_of(x, column), cy = top_of(y, row);
    if (std::isnan(mean)) {
      document_.rectangle(cx, cy, cell_width_, cell_height_, 0, {.stroke = "none", .fill = "#eeeeee"});
      if (at.runs > 0) document_.line(cx, cy + cell_height_, cx + cell_width_, cy, {.stroke = "#999999", .width = 0.6});
      return;
    }
    const std::string fill = colour(std::isfinite(mean) ? scale_.part(mean) : (mean > 0 ? 1.0 : 0.0));
    document_.rectangle(cx, cy, cell_width_ + 0.2, cell_height_ + 0.2, 0, {.stroke = "none", .fill = fill});
    if (at.failed > 0)
      document_.circle(cx + cell_width_ / 2, cy + cell_height_ / 2, 1.6, {.stroke = "none", .fill = "#d00000"});
  }

  bool beyond(std::size_t panel, std::size_t row, std::size_t column) const {
    const double mean = cell(panel, row, column).mean();
    return !std::isnan(mean) && mean >= *style_.limit;
  }

  /// Between neighbours of which one is beyond and the other is not.
  void draw_limit(std::size_t panel, double x, double y) {
    const svg::Style line{.stroke = "#ff2d2d", .width = 1.8};
    for (std::size_t row = 0; row < map_.up.size(); ++row)
      for (std::size_t column = 0; column < map_.across.size(); ++column) {
        const double cx = left_of(x, column), cy = top_of(y, row);
        const auto known = [&](std::size_t r, std::size_t c) { return !std::isnan(cell(panel, r, c).mean()); };
        if (!known(row, column)) continue;
        if (column + 1 < map_.across.size() && known(row, column + 1) &&
            beyond(panel, row, column) != beyond(panel, row, column + 1))
          document_.line(cx + cell_width_, cy, cx + cell_width_, cy + cell_height_, line);
        if (row + 1 < map_.up.size() && known(row + 1, column) &&
            beyond(panel, row, column) != beyond(panel, row + 1, column))
          document_.line(cx, cy, cx + cell_width_, cy, line);
      }
  }

  static std::string name_of(const MapAxis& axis) {
    return axis.name + (axis.unit.text.empty() ? "" : " [" + axis.unit.text + "]");
  }

  void label(double x, double y, bool names_up, bool names_across) {
    const bool cut = !map_.across.numeric && cell_width_ >= 28; // words say something in part
    const std::size_t step = cut ? 1 : label_step(map_.across, cell_width_, true);
    for (std::size_t column = 0; column < map_.across.size(); column += step)
      document_.text(left_of(x, column) + cell_width_ / 2, y + panel_height + 13,
                     cut ? svg::fitted(map_.across.labels[column], label_size, cell_width_ - 4)
                         : map_.across.labels[column],
                     {.size = label_size, .anchor = Anchor::middle});
    for (std::size_t row = 0; row < map_.up.size(); row += label_step(map_.up, cell_height_, false))
      document_.text(x - 4, top_of(y, row) + cell_height_ / 2 + 3, map_.up.labels[row],
                     {.size = label_size, .anchor = Anchor::end});
    if (names_across)
      document_.text(x + panel_width / 2, y + panel_height + 28, svg::fitted(name_of(map_.across), 10, panel_width),
                     {.size = 10, .anchor = Anchor::middle});
    if (names_up)
      document_.text(x - left_ + name_width - 2, y + panel_height / 2, svg::fitted(name_of(map_.up), 10, panel_height),
                     {.size = 10, .anchor = Anchor::middle, .turned = -90});
  }

  const StudyMap& map_;
  const MapStyle& style_;
  Document& document_;
  const ColourScale scale_;
  const double left_;
  const double cell_width_, cell_height_;
};

/// Name and figure in one line, or what the figure means below.
void title(const StudyMap& map, double width, Document& document) {
  const std::string name = map.title + ": " + map.figure, all = name + (map.doc.empty() ? "" : " - " + map.doc);
  const bool one = svg::text_width(all, 13, true) <= width;
  document.text(14, one ? 22 : 18, one ? all : svg::fitted(name, 13, width, true), {.size = 13, .bold = true});
  if (!one) document.text(14, 33, svg::fitted(map.doc, 10, width), {.size = 10});
}

std::string colours_svg(const StudyMap& map, const MapStyle& style) {
  Document document;
  const double left = left_of_panel(map.up);
  const std::size_t columns = std::max<std::size_t>(1, std::min(style.columns, map.panels.size()));
  const std::size_t rows = (map.panels.size() + columns - 1) / columns;
  const double step_x = panel_width + left, step_y = panel_height + gap + below;
  const double width = step_x * static_cast<double>(columns) + 14;
  title(map, width - 28, document);
  Panels panels(map, style, left, document);
  for (std::size_t p = 0; p < map.panels.size(); ++p) {
    const bool last_row = p + columns >= map.panels.size();
    const std::size_t row = p / columns, column = p % columns;
    panels.draw(p, left + step_x * static_cast<double>(column), top + step_y * static_cast<double>(row), column == 0,
                last_row);
  }
  const double scale_y = top + step_y * static_cast<double>(rows) + 4;
  panels.draw_scale(left, scale_y, std::min(480.0, width - left - 44));
  return document.text(width, scale_y + scale_height - 16);
}

} // namespace

std::string map_svg(const StudyMap& map, const MapStyle& style) {
  return map.lines() ? plot::figure_svg(lines_figure(map, style)) : colours_svg(map, style);
}

} // namespace hilda::graphics
