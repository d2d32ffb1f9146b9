// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/routing_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hilda::graphics::draw {

RoutingGrid::RoutingGrid(double width, double height)
    : width_(static_cast<int>(std::ceil(width / grid)) + 2 * margin + 1),
      height_(static_cast<int>(std::ceil(height / grid)) + 2 * margin + 1),
      places_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {}

Cell RoutingGrid::cell_at(double x, double y) {
  return {static_cast<int>(std::lround(x / grid)) + margin, static_cast<int>(std::lround(y / grid)) + margin};
}

std::pair<double, double> RoutingGrid::place_of(Cell cell) {
  return {(cell.x - margin) * grid, (cell.y - margin) * grid};
}

void RoutingGrid::block(double left, double top, double right, double bottom) {
  const int x0 = static_cast<int>(std::floor(left / grid)) + margin,
            x1 = static_cast<int>(std::ceil(right / grid)) + margin;
  const int y0 = static_cast<int>(std::floor(top / grid)) + margin,
            y1 = static_cast<int>(std::ceil(bottom / grid)) + margin;
  for (int y = std::max(0, y0); y <= std::min(height_ - 1, y1); ++y)
    for (int x = std::max(0, x0); x <= std::min(width_ - 1, x1); ++x) places_[index({x, y})].blocked = true;
}

void RoutingGrid::open(Cell cell, int net) {
  if (inside(cell)) places_[index(cell)].owner = net;
}

void RoutingGrid::take(const std::vector<Cell>& path, int net) {
  std::vector<std::size_t>& taken = taken_[net];
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Cell a = path[i], b = path[i + 1];
    int Place::*const track = a.y == b.y ? &Place::lying : &Place::standing;
    const Cell d{(b.x > a.x) - (b.x < a.x), (b.y > a.y) - (b.y < a.y)};
    for (Cell c = a;; c = {c.x + d.x, c.y + d.y}) {
      if (inside(c)) places_[index(c)].*track = net, taken.push_back(index(c));
      if (c == b) break;
    }
  }
}

void RoutingGrid::release(int net) {
  for (const std::size_t each : std::exchange(taken_[net], {})) {
    Place& place = places_[each];
    if (place.lying == net) place.lying = -1;
    if (place.standing == net) place.standing = -1;
  }
}

int RoutingGrid::crossings() const {
  return static_cast<int>(std::count_if(places_.begin(), places_.end(), [](const Place& place) {
    return place.lying >= 0 && place.standing >= 0 && place.lying != place.standing;
  }));
}

std::vector<std::vector<bool>> RoutingGrid::difference(const RoutingGrid& other) const {
  const int rows = std::max(height_, other.height_), columns = std::max(width_, other.width_);
  std::vector<std::vector<bool>> all(static_cast<std::size_t>(rows),
                                     std::vector<bool>(static_cast<std::size_t>(columns), true));
  for (int y = 0; y < std::min(height_, other.height_); ++y)
    for (int x = 0; x < std::min(width_, other.width_); ++x) {
      const Place &here = at({x, y}), &there = other.at({x, y});
      all[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] =
          here.blocked != there.blocked || here.owner != there.owner;
    }
  return all;
}

} // namespace hilda::graphics::draw
