// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/loop_wires.h"

#include "engine/run/loops.h"

namespace hilda::graphics::draw {

std::vector<WireIndex> loop_wires(const System& system) {
  std::vector<WireIndex> wires;
  for (const bool first_tick : {false, true}) {
    const DependencyGraph graph = dependencies(system, first_tick);
    for (const std::vector<EdgeIndex>& loop : feedthrough_loops(graph))
      for (const EdgeIndex edge : loop)
        if (const WireIndex wire = graph.edges[edge].wire; wire.valid()) wires.push_back(wire);
    if (!wires.empty()) break;
  }
  return wires;
}

} // namespace hilda::graphics::draw
