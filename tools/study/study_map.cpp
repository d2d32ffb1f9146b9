#include "tools/study/study_map.h"

#include "engine/diagnostics/complaint.h"
#include "engine/value/value.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace hilda::study {
namespace {

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
  std::vector<MapAxis> axes;
  for (const bool drawn : {false, true})
    for (std::size_t c = 0; c < head.coordinates.size(); ++c)
      if (head.coordinates[c].drawn == drawn && !(drawn && is_seed(head.coordinates[c].name)))
        axes.push_back({.name = head.coordinates[c].name,
                        .unit = head.coordinates[c].unit,
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
    for (const double number : axis.numbers) axis.labels.push_back(short_number(number));
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

} // namespace

double MapCell::mean() const { return known > 0 ? sum / static_cast<double>(known) : NAN; }

std::optional<StudyMap> study_map(Store& store, const MapQuery& query, std::string& error) {
  const StoreHead& head = store.head();
  StudyMap map;
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
  std::vector<MapAxis> axes = axes_of(store);
  // Those that are not asked for: most values first, numbers before words, and before what is drawn.
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < axes.size(); ++a) order.push_back(a);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&axes](std::size_t i) { return std::tuple(!axes[i].drawn, axes[i].numeric, axes[i].size()); };
    return rank(a) > rank(b);
  });
  const auto choose = [&](const std::string& name) -> std::optional<std::size_t> {
    for (const std::size_t a : order)
      if (name.empty() || axes[a].name == name) {
        std::erase(order, a);
        return a;
      }
    error = (name.empty() ? std::string("the study has fewer than two axes and draws")
                          : "there is no axis or draw " + in_quotes(name)) +
            "\nhelp: there are: " + names_of(axes);
    return std::nullopt;
  };
  // Axes requested by name are chosen first, so that a free choice does not take them.
  std::optional<std::size_t> up, across;
  if (!query.up.empty() && !(up = choose(query.up))) return std::nullopt;
  if (!(across = choose(query.across))) return std::nullopt;
  if (!up && !(up = choose(""))) return std::nullopt;
  map.title = head.name, map.figure = head.figures[figure].name, map.unit = head.figures[figure].unit;
  map.doc = head.figures[figure].doc;
  map.across = axes[*across], map.up = axes[*up];
  std::erase_if(order, [&axes](std::size_t a) { return axes[a].drawn; });
  std::sort(order.begin(), order.end());
  std::map<std::string, std::size_t> panels;
  store.each(
      [&](const StudyRow& row) {
        const auto x = place_on(map.across, row), y = place_on(map.up, row);
        if (!x || !y) return true; // an axis that does not apply
        std::string heading;
        for (const std::size_t a : order) {
          const auto at = place_on(axes[a], row);
          if (!at || (axes[a].numeric && axes[a].size() == 1)) continue;
          const std::string label = axes[a].labels[*at];
          heading +=
              (heading.empty() ? "" : ", ") +
              (axes[a].numeric ? axes[a].name + " " + label + (axes[a].unit.empty() ? "" : " " + axes[a].unit) : label);
        }
        const auto [panel, fresh] = panels.try_emplace(heading, map.panels.size());
        if (fresh) {
          map.panels.push_back(heading);
          map.cells.emplace_back(map.across.size() * map.up.size());
        }
        MapCell& cell = map.cells[panel->second][*y * map.across.size() + *x];
        ++cell.runs;
        if (cell.first < 0) cell.first = row.run;
        if (row.failed()) ++cell.failed;
        if (!std::isnan(row.figures[figure])) ++cell.known, cell.sum += row.figures[figure];
        return true;
      },
      0, head.runs);
  if (!store.ok())
    error = store.error();
  else if (map.panels.empty())
    error = "the store has no rows yet";
  return error.empty() ? std::optional<StudyMap>(std::move(map)) : std::nullopt;
}

} // namespace hilda::study
