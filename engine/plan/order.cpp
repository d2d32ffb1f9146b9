#include "engine/plan/order.h"

#include "engine/plan/boost_graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

namespace hilda {

namespace {

/// Guards first, then the safety stage, then blocks by type and, within a type, by piece.
std::size_t key_of(const System& system, const Node& node) {
  if (node.kind == Node::Kind::guard || node.kind == Node::Kind::safety) return 0;
  return 1 + system.blocks[node.block].type->order * 4 + static_cast<std::size_t>(node.kind);
}

using Bucket = std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>>;

} // namespace

std::optional<std::vector<NodeIndex>> order(const System& system, const DependencyGraph& graph) {
  const std::size_t n = graph.nodes.size();
  Indexed<NodeIndex, int> missing(n, 0);
  for (const Edge& e : graph.edges) ++missing[e.to];

  // Keys as they stand among one another: a catalogue has far more types than a diagram uses.
  Indexed<NodeIndex, std::size_t> key(n);
  std::vector<std::size_t> keys;
  for (const NodeIndex i : graph.nodes.indices()) keys.push_back(key[i] = key_of(system, graph.nodes[i]));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (std::size_t& each : key)
    each = static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), each) - keys.begin());
  std::vector<Bucket> ready(std::max<std::size_t>(keys.size(), 1));
  std::set<std::size_t> filled; // keys with something ready
  const auto offer = [&](NodeIndex node) {
    Bucket& bucket = ready[key[node]];
    if (bucket.empty()) filled.insert(key[node]);
    bucket.push(node); // nodes rise with the place in the file
  };
  for (const NodeIndex i : graph.nodes.indices())
    if (missing[i] == 0) offer(i);

  const BoostGraph edges = boost_graph(graph);
  std::vector<NodeIndex> result;
  result.reserve(n);
  std::size_t current = 0;
  while (!filled.empty()) {
    if (!filled.contains(current)) current = *filled.begin();
    Bucket& bucket = ready[current];
    const NodeIndex node = bucket.top();
    bucket.pop();
    if (bucket.empty()) filled.erase(current);
    result.push_back(node);
    const auto [begin, end] = boost::out_edges(node.number(), edges);
    for (auto e = begin; e != end; ++e) {
      const NodeIndex next(boost::target(*e, edges));
      if (--missing[next] == 0) offer(next);
    }
  }
  if (result.size() != n) return std::nullopt;
  return result;
}

} // namespace hilda
