// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/plan/boost_graph.h"

#include <utility>
#include <vector>

namespace hilda::run {

BoostGraph boost_graph(const DependencyGraph& dependencies) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  pairs.reserve(dependencies.edges.size());
  for (const Edge& e : dependencies.edges) pairs.emplace_back(e.from.number(), e.to.number());
  return BoostGraph(boost::edges_are_sorted, pairs.begin(), pairs.end(), dependencies.nodes.size());
}

} // namespace hilda::run
