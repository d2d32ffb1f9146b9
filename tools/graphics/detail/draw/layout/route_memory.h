// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/routing_grid.h"
#include "tools/graphics/detail/draw/sketch/shape.h"
#include "tools/modules.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::graphics::draw {

/// A net as it was routed, and all that its search depends on besides the grid.
struct RoutedNet {
  std::vector<Mouth> mouths;            ///< of its output, then of its arrows
  std::vector<bool> drawn, by_hand;     ///< by arrow
  std::vector<std::vector<Cell>> paths; ///< by arrow
  std::vector<std::size_t> bent, lost;  ///< arrows
  CellWindow searched;                  ///< the cells that the search has looked at
};

/// The routes of the drawing before. A net is searched again only if something has changed where its search looked, so
/// that the routes are those of a search for all nets.
class RouteMemory {
public:
  /// @param grid  with obstacles and ports, without tracks
  /// @param nets  with their mouths, and what of them is drawn
  void begin(const Sketch& sketch, const RoutingGrid& grid, std::vector<RoutedNet> nets);
  /// Null if it must be searched again.
  const RoutedNet* known(std::size_t net) const;
  /// What the search has found.
  void found(std::size_t net, RoutedNet routed);

private:
  void mark(const std::vector<std::vector<Cell>>& paths);
  bool is_changed_in(const CellWindow& window) const;

  std::vector<Net> sketched_;
  std::optional<RoutingGrid> grid_;
  std::vector<RoutedNet> nets_;
  std::vector<bool> known_;
  std::vector<std::vector<bool>> changed_; ///< by row and column of the grid
};

/// By the path of the level.
using RouteMemories = std::map<std::string, RouteMemory>;

} // namespace hilda::graphics::draw
