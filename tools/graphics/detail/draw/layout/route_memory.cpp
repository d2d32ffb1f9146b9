// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/route_memory.h"

#include <algorithm>

namespace hilda::graphics::draw {
namespace {

/// A search looks at the neighbours of the cells that it enters, and at the tracks next to those.
constexpr int looked_around = 2;

bool starts_alike(const RoutedNet& a, const RoutedNet& b) {
  return a.mouths == b.mouths && a.drawn == b.drawn && a.by_hand == b.by_hand;
}

bool has_bends(const Net& net) {
  return std::any_of(net.arrows.begin(), net.arrows.end(), [](const Arrow& arrow) { return !arrow.bend.empty(); });
}

} // namespace

void RouteMemory::begin(const Sketch& sketch, const RoutingGrid& grid, std::vector<RoutedNet> nets) {
  const bool comparable = grid_ && sketched_ == sketch.nets && nets_.size() == nets.size();
  const std::vector<RoutedNet> before = std::exchange(nets_, std::move(nets));
  known_.assign(nets_.size(), false);
  changed_ = comparable ? grid.difference(*grid_) : std::vector<std::vector<bool>>();
  grid_ = grid;
  if (!comparable) {
    sketched_ = sketch.nets;
    return;
  }
  for (std::size_t n = 0; n < nets_.size(); ++n) {
    // an author's bends depend on where symbols are, and not on the grid alone
    known_[n] = starts_alike(before[n], nets_[n]) && !has_bends(sketch.nets[n]);
    if (known_[n])
      nets_[n] = before[n];
    else
      mark(before[n].paths);
  }
}

const RoutedNet* RouteMemory::known(std::size_t net) const {
  return known_[net] && !is_changed_in(nets_[net].searched) ? &nets_[net] : nullptr;
}

void RouteMemory::found(std::size_t net, RoutedNet routed) {
  if (!changed_.empty() && (!known_[net] || nets_[net].paths != routed.paths)) {
    mark(nets_[net].paths);
    mark(routed.paths);
  }
  nets_[net] = std::move(routed);
}

void RouteMemory::mark(const std::vector<std::vector<Cell>>& paths) {
  for (const std::vector<Cell>& path : paths)
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      for (int y = std::max(0, std::min(path[i].y, path[i + 1].y)); y <= std::max(path[i].y, path[i + 1].y); ++y)
        for (int x = std::max(0, std::min(path[i].x, path[i + 1].x)); x <= std::max(path[i].x, path[i + 1].x); ++x)
          if (y < static_cast<int>(changed_.size()) && x < static_cast<int>(changed_.front().size()))
            changed_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = true;
}

bool RouteMemory::is_changed_in(const CellWindow& window) const {
  const auto bound = [](int value, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(value, 0, static_cast<int>(size)));
  };
  for (std::size_t y = bound(window.top - looked_around, changed_.size());
       y < bound(window.bottom + looked_around + 1, changed_.size()); ++y) {
    const std::vector<bool>& row = changed_[y];
    const auto from = static_cast<std::ptrdiff_t>(bound(window.left - looked_around, row.size())),
               to = static_cast<std::ptrdiff_t>(bound(window.right + looked_around + 1, row.size()));
    if (std::find(row.begin() + from, row.begin() + to, true) != row.begin() + to) return true;
  }
  return false;
}

} // namespace hilda::graphics::draw
