// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/study_map.h"

#include "engine/base/error.h"
#include "engine/quantity/value.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace hilda::graphics {
namespace {

constexpr std::size_t most_lines = 8; // that colours tell apart

std::string short_number(double number) { return fmt::format("{:.4g}", number); }

/// The number of a repetition says nothing.
bool is_seed(const std::string& name) { return name == "seed" || name.ends_with(".seed"); }

/// Of drawn numbers, which rise: the middles of parts of equal width, about as many as a square of them has at a side.
void divide(MapAxis& axis) {
  const auto count = static_cast<double>(axis.numbers.size());
  if (count < 4) return;
  const double parts = std::clamp(std::round(std::sqrt(count)), 3.0, 12.0);
  axis.low = axis.numbers.front(), axis.width = (axis.numbers.back() - axis.low) / parts;
  axis.numbers.resize(static_cast<std::size_t>(parts));
  for (std::size_t i = 0; i < axis.numbers.size(); ++i)
    axis.numbers[i] = axis.low + (static_cast<double>(i) + 0.5) * axis.width;
}

/// All axes, with the values that the rows have; then what is drawn.
std::vector<MapAxis> axes_of(Store& store) {
  const StoreHead& head = store.head();
  const std::vector<ShownUnit> units = shown_units(head);
  std::vector<MapAxis> axes;
  for (const bool drawn : {false, true})
    for (std::size_t c = 0; c < head.coordinates.size(); ++c)
      if (head.coordinates[c].drawn == drawn && !(drawn && is_seed(head.coordinates[c].name)))
        axes.push_back({.name = head.coordinates[c].name,
                        .unit = units[c],
                        .column = c,
                        .numeric = head.coordinates[c].numeric,
                        .drawn = drawn});
  store.each(
      [&](const StudyRow& row) {
        for (MapAxis& axis : axes) {
          const RunPoint::Coordinate& at = row.coordinates[axis.column];
          if (axis.numeric && !std::isnan(at.number)) {
            const auto place = std::lower_bound(axis.numbers.begin(), axis.numbers.end(), at.number);
            if (place == axis.numbers.end() || *place != at.number) axis.numbers.insert(place, at.number);
          }
          if (!axis.numeric && std::find(axis.labels.begin(), axis.labels.end(), at.label) == axis.labels.end())
            axis.labels.push_back(at.label);
        }
        return true;
      },
      0, head.runs);
  for (MapAxis& axis : axes)
    if (axis.drawn) divide(axis);
  for (MapAxis& axis : axes)
    for (const double number : axis.numbers) axis.labels.push_back(short_number(axis.unit.of_si(number)));
  return axes;
}

/// Place of a row on an axis; none where it has no value there.
std::optional<std::size_t> place_on(const MapAxis& axis, const StudyRow& row) {
  const RunPoint::Coordinate& at = row.coordinates[axis.column];
  if (!axis.numeric)
    return static_cast<std::size_t>(std::find(axis.labels.begin(), axis.labels.end(), at.label) - axis.labels.begin());
  if (axis.width > 0) {
    if (std::isnan(at.number)) return std::nullopt;
    const double part = std::floor((at.number - axis.low) / axis.width);
    return static_cast<std::size_t>(std::clamp(part, 0.0, static_cast<double>(axis.size() - 1)));
  }
  const auto place = std::lower_bound(axis.numbers.begin(), axis.numbers.end(), at.number);
  if (std::isnan(at.number) || place == axis.numbers.end()) return std::nullopt;
  return static_cast<std::size_t>(place - axis.numbers.begin());
}

std::string names_of(const std::vector<MapAxis>& axes) {
  std::string names;
  for (const MapAxis& axis : axes) names += (names.empty() ? "" : ", ") + axis.name;
  return names;
}

/// Those that are across and up, and the others in the order of the study.
struct ChosenAxes {
  std::size_t across = 0;
  std::optional<std::size_t> up;
  std::vector<std::size_t> others;
};

/// One axis of numbers alone is not a map: a line for each combination of the words, where there are few.
bool is_lines(const std::vector<MapAxis>& axes, const std::vector<std::size_t>& order, std::size_t across) {
  std::size_t lines = 1;
  for (const std::size_t a : order)
    if (axes[a].numeric)
      return false;
    else
      lines *= std::max<std::size_t>(1, axes[a].size());
  return order.empty() || (axes[across].numeric && lines <= most_lines);
}

std::optional<ChosenAxes> choose(const std::vector<MapAxis>& axes, const MapQuery& query, std::string& error) {
  // Those that are not asked for: most values first, numbers before words, and before what is drawn.
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < axes.size(); ++a) order.push_back(a);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&axes](std::size_t i) { return std::tuple(!axes[i].drawn, axes[i].numeric, axes[i].size()); };
    return rank(a) > rank(b);
  });
  const auto take = [&](const std::string& name) -> std::optional<std::size_t> {
    for (const std::size_t a : order)
      if (name.empty() || axes[a].name == name) {
        std::erase(order, a);
        return a;
      }
    error = axes.empty() ? std::string("the study has neither axes nor draws: nothing to draw its figures over\nhelp: "
                                       "hilda sweep show prints its row")
                         : "there is no axis or draw " + in_quotes(name) + "\nhelp: there are: " + names_of(axes);
    return std::nullopt;
  };
  ChosenAxes chosen;
  // Axes requested by name are chosen first, so that a free choice does not take them.
  if (!query.up.empty() && !(chosen.up = take(query.up))) return std::nullopt;
  const auto across = take(query.across);
  if (!across) return std::nullopt;
  chosen.across = *across;
  if (!chosen.up && !is_lines(axes, order, *across)) chosen.up = take("");
  std::erase_if(order, [&axes](std::size_t a) { return axes[a].drawn; });
  std::sort(order.begin(), order.end());
  chosen.others = std::move(order);
  return chosen;
}

/// What a row has on the axes that are neither across nor up.
std::string heading_of(const std::vector<MapAxis>& axes, const std::vector<std::size_t>& others, const StudyRow& row) {
  std::string heading;
  for (const std::size_t a : others) {
    const auto at = place_on(axes[a], row);
    if (!at || (axes[a].numeric && axes[a].size() == 1)) continue;
    const std::string label = axes[a].labels[*at], &unit = axes[a].unit.text;
    heading += (heading.empty() ? "" : ", ") +
               (axes[a].numeric ? axes[a].name + " " + label + (unit.empty() ? "" : " " + unit) : label);
  }
  return heading;
}

} // namespace

double MapCell::mean() const { return known > 0 ? sum / static_cast<double>(known) : NAN; }

void MapCell::take(const StudyRow& row, std::size_t figure) {
  ++runs;
  if (first < 0) first = row.run;
  if (row.failed()) ++failed;
  const double number = row.figures[figure];
  if (std::isnan(number)) return;
  least = known > 0 ? std::min(least, number) : number, greatest = known > 0 ? std::max(greatest, number) : number;
  ++known, sum += number;
}

std::optional<StudyMap> study_map(Store& store, const MapQuery& query, std::string& error) {
  const StoreHead& head = store.head();
  std::size_t figure = head.figures.size();
  std::string names;
  for (std::size_t f = 0; f < head.figures.size(); ++f) {
    names += (f > 0 ? ", " : "") + head.figures[f].name;
    if (query.figure.empty() || head.figures[f].name == query.figure) figure = f;
  }
  if (figure == head.figures.size()) {
    error = "there is no figure " + in_quotes(query.figure) + "\nhelp: there are: " + names;
    return std::nullopt;
  }
  const std::vector<MapAxis> axes = axes_of(store);
  const std::optional<ChosenAxes> chosen = choose(axes, query, error);
  if (!chosen) return std::nullopt;
  const StoreHead::Column& shown = head.figures[figure];
  StudyMap map{.title = head.name, .figure = shown.name, .unit = shown.unit, .doc = shown.doc};
  map.across = axes[chosen->across];
  if (chosen->up) map.up = axes[*chosen->up];
  std::map<std::string, std::size_t> panels;
  store.each(
      [&](const StudyRow& row) {
        const auto x = place_on(map.across, row), y = chosen->up ? place_on(map.up, row) : std::size_t{0};
        if (!x || !y) return true; // an axis that does not apply
        const std::string heading = heading_of(axes, chosen->others, row);
        const auto [panel, fresh] = panels.try_emplace(heading, map.panels.size());
        if (fresh) {
          map.panels.push_back(heading);
          map.cells.emplace_back(map.across.size() * std::max<std::size_t>(1, map.up.size()));
        }
        map.cells[panel->second][*y * map.across.size() + *x].take(row, figure);
        return true;
      },
      0, head.runs);
  if (!store.ok())
    error = store.error();
  else if (map.panels.empty())
    error = "the store has no rows yet";
  return error.empty() ? std::optional<StudyMap>(std::move(map)) : std::nullopt;
}

} // namespace hilda::graphics
