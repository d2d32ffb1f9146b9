// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/study/store.h"
#include "tools/graphics/detail/study/shown_units.h"
#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::graphics {

/// An axis, or a draw, as it is in a store: its name, its unit as the study file writes it, and the values that rows
/// have, numbers rising, words in the order of the runs.
struct MapAxis {
  std::string name;
  ShownUnit unit = {};
  std::size_t column = 0; ///< of coordinates
  bool numeric = true, drawn = false;
  std::vector<double> numbers = {}; ///< SI; of what is drawn: the middles of parts of equal width
  std::vector<std::string> labels = {};
  double low = 0, width = 0; ///< of the parts
  std::size_t size() const { return labels.size(); }
};

/// What the rows of one place say of a figure.
struct MapCell {
  std::int64_t runs = 0, failed = 0, known = 0; ///< known: with the figure
  double sum = 0, least = 0, greatest = 0;
  double mean() const;
  void take(const StudyRow& row, std::size_t figure);
  std::int64_t first = -1; ///< a run of it
};

/// A figure over two axes, one panel for each combination of the others; draws lie in each cell together. Over one axis
/// `up` is empty, and each combination of the others is a line.
struct StudyMap {
  std::string title, figure, unit, doc = {};
  MapAxis across = {}, up = {};
  std::vector<std::string> panels = {};         ///< their headings
  std::vector<std::vector<MapCell>> cells = {}; ///< by panel: cells row by row from below, `across` fastest
  bool lines() const { return up.size() == 0; }
};

/// Which figure over which axes or draws; empty: the last figure, the two axes of numbers with the most values, and
/// draws where there are not so many axes. Of one axis of numbers, alone or with a few words: lines.
struct MapQuery {
  std::string figure, across, up;
};

/// None, and `error` with what there is, where the store has no such column. Rows of searches are left out.
std::optional<StudyMap> study_map(Store& store, const MapQuery& query, std::string& error);

struct MapStyle {
  std::optional<double> limit = {};                ///< a line is drawn where the figure passes it
  std::size_t columns = 3;                         ///< panels in a row, at most
  std::optional<double> least = {}, greatest = {}; ///< ends of the colours; those of the means where not given
};

/// As SVG for print. A map has one scale of colours for all panels, and a cell without the figure is crossed out. Lines
/// have a dot at each mean and a bar from the least to the greatest.
std::string map_svg(const StudyMap& map, const MapStyle& style);

} // namespace hilda::graphics
