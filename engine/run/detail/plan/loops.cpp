// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/loops.h"

#include "engine/run/detail/plan/boost_graph.h"
#include "engine/run/detail/plan/order.h"
#include "engine/run/plan.h"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>
#include <map>
#include <queue>

namespace hilda::run {

namespace {

std::string name_of(const System& system, const Node& node) {
  return node.kind == Node::Kind::guard ? system.guards[node.guard].path : system.blocks[node.block].path;
}

Location place_of(const System& system, const Node& node) {
  return node.kind == Node::Kind::guard ? system.guards[node.guard].where : system.blocks[node.block].where;
}

using Component = int; ///< number of a strong component, as Boost gives it

/// A shortest loop through `start` inside one strong component; breadth first over sorted edges, so the same file gives
/// the same loop.
std::vector<EdgeIndex> shortest_loop(const DependencyGraph& d, const Indexed<NodeIndex, Component>& component,
                                     NodeIndex start) {
  Indexed<NodeIndex, std::vector<EdgeIndex>> out(d.nodes.size());
  for (const EdgeIndex e : d.edges.indices())
    if (component[d.edges[e].from] == component[d.edges[e].to]) out[d.edges[e].from].push_back(e);
  Indexed<NodeIndex, EdgeIndex> came_by(d.nodes.size());
  std::queue<NodeIndex> open;
  open.push(start);
  while (!open.empty()) {
    const NodeIndex node = open.front();
    open.pop();
    for (const EdgeIndex e : out[node]) {
      const NodeIndex next = d.edges[e].to;
      if (next == start) {
        std::vector<EdgeIndex> loop{e};
        for (NodeIndex at = node; at != start; at = d.edges[loop.back()].from) loop.push_back(came_by[at]);
        std::reverse(loop.begin(), loop.end());
        return loop;
      }
      if (came_by[next].valid()) continue;
      came_by[next] = e;
      open.push(next);
    }
  }
  return {};
}

/// The first node of each component with a loop in it, in order.
std::vector<NodeIndex> starts_of_loops(const DependencyGraph& d, const Indexed<NodeIndex, Component>& component) {
  struct Members {
    NodeIndex first;
    std::size_t count = 0;
    bool loops_on_itself = false;
  };
  std::map<Component, Members> members;
  for (const NodeIndex node : component.indices()) {
    Members& of = members[component[node]];
    if (of.count++ == 0) of.first = node;
  }
  for (const Edge& e : d.edges)
    if (e.from == e.to) members[component[e.from]].loops_on_itself = true;
  std::vector<NodeIndex> starts;
  for (const auto& [number, of] : members)
    if (of.count > 1 || of.loops_on_itself) starts.push_back(of.first);
  std::sort(starts.begin(), starts.end());
  return starts;
}

} // namespace

std::vector<std::vector<EdgeIndex>> feedthrough_loops(const DependencyGraph& d) {
  Indexed<NodeIndex, Component> component(d.nodes.size());
  const BoostGraph graph = boost_graph(d);
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::vector<EdgeIndex>> loops;
  for (const NodeIndex start : starts_of_loops(d, component)) {
    std::vector<EdgeIndex> loop = shortest_loop(d, component, start);
    if (!loop.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

void report_loops(const System& system, const DependencyGraph& d, Diagnostics& diagnostics) {
  for (const std::vector<EdgeIndex>& loop : feedthrough_loops(d)) {
    const NodeIndex start = d.edges[loop.front()].from;
    std::string chain;
    std::vector<Note> notes;
    const Edge* last_wire = nullptr;
    for (const EdgeIndex index : loop) {
      const Edge& e = d.edges[index];
      const std::string from = name_of(system, d.nodes[e.from]);
      const std::string to = name_of(system, d.nodes[e.to]);
      if (chain.empty()) chain = from;
      if (from != to) chain += " -> " + to;
      if (e.wire.valid()) {
        const Wire& wire = system.wires[e.wire];
        notes.push_back(
            {wire.where, fmt::format("{} goes to {}{}", port_text(system, wire.from), port_text(system, wire.to),
                                     e.why == Edge::Why::primes ? ", which is read before the block's first outputs"
                                                                : ", which feeds through")});
        last_wire = &e;
      } else if (e.why == Edge::Why::enables) {
        notes.push_back({place_of(system, d.nodes[e.to]), fmt::format("{} enables or resets {}", from, to)});
      }
    }
    std::string help = "no block of the loop waits for a tick: break it where the real system has a delay";
    if (last_wire != nullptr) {
      const Wire& wire = system.wires[last_wire->wire];
      help = fmt::format(
          "put a discrete/UnitDelay where the real system waits a tick, for instance between {} and {}; hilda "
          "never inserts a delay by itself",
          port_text(system, wire.from), port_text(system, wire.to));
    }
    diagnostics.error("algebraic-loop", place_of(system, d.nodes[start]),
                      fmt::format("the blocks need each other's outputs within one tick: {}", chain), help,
                      std::move(notes));
  }
}

} // namespace hilda::run
