#include "tools/study/study_map.h"

#include "tools/plot/ticks.h"
#include "tools/svg/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace hilda::study {
namespace {

using svg::Anchor;
using svg::Document;

constexpr double panel_width = 230, panel_height = 170, left = 62, gap = 26, top = 58, below = 44, scale_height = 46;

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
  for (const std::string& label : axis.labels) widest = std::max(widest, svg::text_width(label, 9));
  const double needed = across ? widest + 6 : 12;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell)));
}

class Panels {
public:
  Panels(const StudyMap& map, const MapStyle& style, Document& document)
      : map_(map), style_(style), document_(document), scale_(map, style),
        cell_width_(panel_width / static_cast<double>(map.across.size())),
        cell_height_(panel_height / static_cast<double>(map.up.size())) {}

  void draw(std::size_t panel, double x, double y, bool names_up, bool names_across) {
    document_.text(x, y - 7, map_.panels[panel], {.size = 11, .bold = true});
    for (std::size_t row = 0; row < map_.up.size(); ++row)
      for (std::size_t column = 0; column < map_.across.size(); ++column) draw_cell(panel, x, y, row, column);
    if (style_.limit) draw_limit(panel, x, y);
    document_.rectangle(x, y, panel_width, panel_height, 0, {.width = 0.8});
    label(x, y, names_up, names_across);
  }

  void draw_scale(double x, double y, double width) {
    constexpr int steps = 96, numbers = 5;
    for (int i = 0; i < steps; ++i)
      document_.rectangle(x + width * i / steps, y, width / steps + 0.4, 10, 0,
                          {.stroke = "none", .fill = colour((i + 0.5) / steps)});
    for (int i = 0; i < numbers; ++i) {
      const double part = static_cast<double>(i) / (numbers - 1);
      document_.text(x + width * part, y + 22, fmt::format("{:.4g}", scale_.at(part)),
                     {.size = 9, .anchor = Anchor::middle});
    }
    const std::string name = map_.figure + (map_.unit.empty() ? "" : " [" + map_.unit + "]");
    document_.text(x - 8, y + 9, name, {.size = 10, .anchor = Anchor::end});
    if (style_.limit) document_.text(x + width + 10, y + 9, fmt::format("line: {:.4g}", *style_.limit), {.size = 9});
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
    return axis.name + (axis.unit.empty() ? "" : " [" + axis.unit + "]");
  }

  void label(double x, double y, bool names_up, bool names_across) {
    for (std::size_t column = 0; column < map_.across.size(); column += label_step(map_.across, cell_width_, true))
      document_.text(left_of(x, column) + cell_width_ / 2, y + panel_height + 13, map_.across.labels[column],
                     {.size = 9, .anchor = Anchor::middle});
    for (std::size_t row = 0; row < map_.up.size(); row += label_step(map_.up, cell_height_, false))
      document_.text(x - 4, top_of(y, row) + cell_height_ / 2 + 3, map_.up.labels[row],
                     {.size = 9, .anchor = Anchor::end});
    if (names_across)
      document_.text(x + panel_width / 2, y + panel_height + 28, name_of(map_.across),
                     {.size = 10, .anchor = Anchor::middle});
    if (names_up)
      document_.text(x - 48, y + panel_height / 2, name_of(map_.up),
                     {.size = 10, .anchor = Anchor::middle, .turned = -90});
  }

  const StudyMap& map_;
  const MapStyle& style_;
  Document& document_;
  const ColourScale scale_;
  const double cell_width_, cell_height_;
};

} // namespace

std::string map_svg(const StudyMap& map, const MapStyle& style) {
  Document document;
  const std::size_t columns = std::max<std::size_t>(1, std::min(style.columns, map.panels.size()));
  const std::size_t rows = (map.panels.size() + columns - 1) / columns;
  const double step_x = panel_width + left, step_y = panel_height + gap + below;
  const double width = step_x * static_cast<double>(columns) + 14;
  document.text(14, 22, map.title + ": " + map.figure + (map.doc.empty() ? "" : " - " + map.doc),
                {.size = 13, .bold = true});
  Panels panels(map, style, document);
  for (std::size_t p = 0; p < map.panels.size(); ++p) {
    const bool last_row = p + columns >= map.panels.size();
    const std::size_t row = p / columns, column = p % columns;
    panels.draw(p, left + step_x * static_cast<double>(column), top + step_y * static_cast<double>(row), column == 0,
                last_row);
  }
  const double scale_y = top + step_y * static_cast<double>(rows) - 4;
  panels.draw_scale(left + 70, scale_y, std::min(360.0, width - left - 180));
  return document.text(width, scale_y + scale_height);
}

} // namespace hilda::study
