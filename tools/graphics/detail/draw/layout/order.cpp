// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/layout/layout.h"
#include "tools/graphics/detail/draw/layout/ranks.h"

#include <algorithm>
#include <set>

namespace hilda::graphics::draw {

Order order_of(const Sketch& sketch, std::size_t sources_of_a_sink, int start) {
  const std::size_t count = sketch.symbols.size();
  Order order;
  std::vector<bool> gives(count, false);
  std::vector<std::set<int>> sources(count);
  for (const Net& net : sketch.nets) {
    gives[static_cast<std::size_t>(net.from)] = !net.arrows.empty();
    for (const Arrow& arrow : net.arrows) sources[static_cast<std::size_t>(arrow.to)].insert(net.from);
  }
  for (std::size_t s = 0; s < count; ++s)
    order.sink.push_back(!gives[s] && sources[s].size() >= sources_of_a_sink &&
                         sketch.symbols[s].kind != Symbol::Kind::sum && sketch.symbols[s].pin.row < 0 &&
                         sketch.symbols[s].pin.column < 0);
  for (std::size_t s = 0; s < count; ++s)
    if (const auto& place = sketch.symbols[s].pin.place)
      order.anchors[static_cast<int>(s)] = {place->x, place->y, true};
  order.rank = ranks_of(sketch, order.sink, start);
  // what feeds sinks alone follows no one and would begin the first row: it stays, as a source does
  for (std::size_t s = 0; s < count; ++s)
    if (!order.sink[s]) order.ranks = std::max(order.ranks, order.rank[s] + 1);
  return order;
}

} // namespace hilda::graphics::draw
