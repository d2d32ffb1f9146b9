// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/study/lines_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::graphics {
namespace {

/// Where the values lie across: numbers in the unit of the study, their logarithms, or the places of words.
std::vector<double> places_of(const MapAxis& axis, bool decades) {
  std::vector<double> places;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const double number = axis.numeric ? axis.unit.of_si(axis.numbers[i]) : static_cast<double>(i);
    places.push_back(decades ? std::log10(number) : number);
  }
  return places;
}

bool in_decades(const MapAxis& axis) {
  return axis.numeric && axis.unit.logarithmic && axis.unit.of_si(axis.numbers.front()) > 0;
}

/// With room for the dots at both ends.
void set_ends(plot::Figure& figure, const std::vector<double>& places) {
  const double span = places.back() - places.front();
  const double room = !figure.places.empty() ? 0.5 : span > 0 ? 0.03 * span : std::max(std::abs(places[0]), 1.0) / 2;
  figure.from = places.front() - room, figure.to = places.back() + room;
}

plot::Curve curve_of(const std::vector<MapCell>& cells, const std::shared_ptr<const std::vector<double>>& places) {
  plot::Curve curve{"", places, {}};
  curve.mark = plot::Mark::dots;
  for (const MapCell& cell : cells) {
    curve.values.push_back(cell.mean());
    curve.least.push_back(cell.known > 0 ? cell.least : NAN);
    curve.greatest.push_back(cell.known > 0 ? cell.greatest : NAN);
  }
  return curve;
}

/// "3 of 44 runs failed; 2 have no peak"
std::string missing(const StudyMap& map) {
  std::int64_t runs = 0, failed = 0, without = 0;
  for (const std::vector<MapCell>& cells : map.cells)
    for (const MapCell& cell : cells) runs += cell.runs, failed += cell.failed, without += cell.runs - cell.known;
  std::string text;
  if (failed > 0) text = fmt::format("{} of {} runs failed", failed, runs);
  if (without > 0) text += fmt::format("{}{} of {} have no {}", text.empty() ? "" : "; ", without, runs, map.figure);
  return text;
}

} // namespace

plot::Figure lines_figure(const StudyMap& map, const MapStyle& style) {
  plot::Figure figure;
  figure.title = map.title + (map.doc.empty() ? "" : ": " + map.doc);
  figure.panel_height = 200;
  const MapAxis& axis = map.across;
  figure.across = axis.name + (axis.unit.text.empty() ? "" : " [" + axis.unit.text + "]");
  figure.decades = in_decades(axis);
  if (!axis.numeric) figure.places = axis.labels;
  const auto places = std::make_shared<const std::vector<double>>(places_of(axis, figure.decades));
  set_ends(figure, *places);
  plot::Panel panel{map.figure, map.unit, {}};
  panel.note = missing(map), panel.limit = style.limit, panel.lowest = style.least, panel.highest = style.greatest;
  for (std::size_t p = 0; p < map.panels.size(); ++p) {
    panel.curves.push_back(curve_of(map.cells[p], places));
    if (!axis.numeric) panel.curves.back().mark = plot::Mark::circle; // nothing lies between words
    panel.curves.back().run = static_cast<int>(p);
    if (map.panels.size() > 1) figure.runs.push_back(map.panels[p]);
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace hilda::graphics
