#include "engine/plan/order.h"

#include "engine/plan/boost_graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

namespace hilda {

namespace {

/// Guards first, then the safety stage, then blocks by type and, within a type, by piece.
int key_of(const System& system, const Node& node) {
  if (node.kind == Node::Kind::guard || node.kind == Node::Kind::safety) return 0;
  const int type = system.blocks[static_cast<std::size_t>(node.owner)].type->order;
  return 1 + type * 4 + static_cast<int>(node.kind);
}

using Bucket = std::priority_queue<int, std::vector<int>, std::greater<>>;

} // namespace

std::optional<std::vector<int>> order(const System& system, const DependencyGraph& graph) {
  const std::size_t n = graph.nodes.size();
  std::vector<int> missing(n, 0);
  for (const Edge& e : graph.edges) ++missing[static_cast<std::size_t>(e.to)];

  std::vector<int> key(n);
  int keys = 1;
  for (std::size_t i = 0; i < n; ++i) {
    key[i] = key_of(system, graph.nodes[i]);
    keys = std::max(keys, key[i] + 1);
  }
  std::vector<Bucket> ready(static_cast<std::size_t>(keys));
  std::set<int> filled; // keys with something ready
  const auto offer = [&](std::size_t node) {
    Bucket& bucket = ready[static_cast<std::size_t>(key[node])];
    if (bucket.empty()) filled.insert(key[node]);
    bucket.push(static_cast<int>(node)); // node numbers rise with the place in the file
  };
  for (std::size_t i = 0; i < n; ++i)
    if (missing[i] == 0) offer(i);

  const BoostGraph edges = boost_graph(graph);
  std::vector<int> result;
  result.reserve(n);
  int current = -1;
  while (!filled.empty()) {
    if (!filled.contains(current)) current = *filled.begin();
    Bucket& bucket = ready[static_cast<std::size_t>(current)];
    const int node = bucket.top();
    bucket.pop();
    if (bucket.empty()) filled.erase(current);
    result.push_back(node);
    const auto [begin, end] = boost::out_edges(static_cast<std::size_t>(node), edges);
    for (auto e = begin; e != end; ++e) {
      const std::size_t next = boost::target(*e, edges);
      if (--missing[next] == 0) offer(next);
    }
  }
  if (result.size() != n) return std::nullopt;
  return result;
}

} // namespace hilda
