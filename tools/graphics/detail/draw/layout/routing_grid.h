// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/layout.h"
#include "tools/modules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace hilda::graphics::draw {

/// A cell of the drawing, counted in grid steps from a margin left of and above everything.
struct Cell {
  int x = 0, y = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Where a line leaves a symbol or comes to it.
struct Mouth {
  Cell border, cell; ///< on the border, and where the way begins
  int direction = 0; ///< away from the symbol
  friend bool operator==(const Mouth&, const Mouth&) = default;
};

/// The smallest rectangle that has all cells that were added.
struct CellWindow {
  int left = std::numeric_limits<int>::max(), top = std::numeric_limits<int>::max(), right = -1, bottom = -1;
  void add(Cell c) {
    left = std::min(left, c.x), top = std::min(top, c.y);
    right = std::max(right, c.x), bottom = std::max(bottom, c.y);
  }
};

/// The use of each place: obstacles, places before ports, and the horizontal and vertical tracks that nets have taken.
class RoutingGrid {
public:
  static constexpr int margin = 5; ///< cells around everything
  static constexpr std::array<Cell, 4> step{Cell{1, 0}, Cell{0, 1}, Cell{-1, 0}, Cell{0, -1}}; ///< by direction

  RoutingGrid(double width, double height);

  static Cell cell_at(double x, double y);
  static std::pair<double, double> place_of(Cell cell);
  bool inside(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width_ && c.y < height_; }
  std::size_t index(Cell c) const {
    return static_cast<std::size_t>(c.y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(c.x);
  }
  std::size_t size() const { return places_.size(); }
  int width() const { return width_; }

  /// Nothing runs through a rectangle.
  void block(double left, double top, double right, double bottom);
  /// A place where a net's line begins or ends: open to that net alone, and dear to pass for others.
  void open(Cell cell, int net);

  bool closed_to(Cell c, int net) const { return at(c).blocked && at(c).owner != net; }
  bool foreign_port(Cell c, int net) const { return at(c).owner >= 0 && at(c).owner != net; }
  int lying(Cell c) const { return at(c).lying; }
  int standing(Cell c) const { return at(c).standing; }
  /// Tracks of a net along straight pieces between cells.
  void take(const std::vector<Cell>& path, int net);
  void release(int net);
  int crossings() const;
  /// Cells, by row and column, whose obstacles and ports are others than there; all that only one of both has.
  std::vector<std::vector<bool>> difference(const RoutingGrid& other) const;

private:
  /// Side by side in memory: a search asks for all of it at each step.
  struct Place {
    int owner = -1, lying = -1, standing = -1; ///< net, or -1
    bool blocked = false;
  };
  const Place& at(Cell c) const { return places_[index(c)]; }

  int width_, height_;
  std::vector<Place> places_;
  std::map<int, std::vector<std::size_t>> taken_; ///< by net: where its tracks are, for a drawing has far more places
};

} // namespace hilda::graphics::draw
