#include "engine/plan/loops.h"

#include "engine/plan/boost_graph.h"
#include "engine/plan/order.h"
#include "engine/plan/plan.h"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>
#include <queue>

namespace hilda {

namespace {

int block_of(const System& system, const Node& node) {
  return node.kind == Node::Kind::safety ? system.wires[static_cast<std::size_t>(node.owner)].to.block : node.owner;
}

std::string name_of(const System& system, const Node& node) {
  if (node.kind == Node::Kind::guard) return system.guards[static_cast<std::size_t>(node.owner)].path;
  return system.blocks[static_cast<std::size_t>(block_of(system, node))].path;
}

Location place_of(const System& system, const Node& node) {
  if (node.kind == Node::Kind::guard) return system.guards[static_cast<std::size_t>(node.owner)].where;
  return system.blocks[static_cast<std::size_t>(block_of(system, node))].where;
}

/// A shortest loop through `start` inside one strong component, as edge indices; breadth first over sorted edges, so
/// the same file gives the same loop.
std::vector<int> shortest_loop(const DependencyGraph& d, const std::vector<int>& component, int start) {
  std::vector<std::vector<int>> out(d.nodes.size());
  for (std::size_t e = 0; e < d.edges.size(); ++e)
    if (component[static_cast<std::size_t>(d.edges[e].from)] == component[static_cast<std::size_t>(d.edges[e].to)])
      out[static_cast<std::size_t>(d.edges[e].from)].push_back(static_cast<int>(e));
  std::vector<int> came_by(d.nodes.size(), -1);
  std::queue<int> open;
  open.push(start);
  while (!open.empty()) {
    const int node = open.front();
    open.pop();
    for (const int e : out[static_cast<std::size_t>(node)]) {
      const int next = d.edges[static_cast<std::size_t>(e)].to;
      if (next == start) {
        std::vector<int> loop{e};
        for (int at = node; at != start; at = d.edges[static_cast<std::size_t>(loop.back())].from)
          loop.push_back(came_by[static_cast<std::size_t>(at)]);
        std::reverse(loop.begin(), loop.end());
        return loop;
      }
      if (came_by[static_cast<std::size_t>(next)] >= 0) continue;
      came_by[static_cast<std::size_t>(next)] = e;
      open.push(next);
    }
  }
  return {};
}

} // namespace

std::vector<std::vector<int>> feedthrough_loops(const DependencyGraph& d) {
  std::vector<int> component(d.nodes.size());
  const BoostGraph graph = boost_graph(d);
  const int count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<int> size(static_cast<std::size_t>(count), 0), first(static_cast<std::size_t>(count), -1);
  for (std::size_t i = 0; i < component.size(); ++i) {
    const auto c = static_cast<std::size_t>(component[i]);
    if (size[c]++ == 0) first[c] = static_cast<int>(i);
  }
  std::vector<bool> loops_on_itself(static_cast<std::size_t>(count), false);
  for (const Edge& e : d.edges)
    if (e.from == e.to) loops_on_itself[static_cast<std::size_t>(component[static_cast<std::size_t>(e.from)])] = true;

  std::vector<int> starts;
  for (std::size_t c = 0; c < size.size(); ++c)
    if (size[c] > 1 || loops_on_itself[c]) starts.push_back(first[c]);
  std::sort(starts.begin(), starts.end());

  std::vector<std::vector<int>> loops;
  for (const int start : starts) {
    std::vector<int> loop = shortest_loop(d, component, start);
    if (!loop.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

void report_loops(const System& system, const DependencyGraph& d, Diagnostics& diagnostics) {
  for (const std::vector<int>& loop : feedthrough_loops(d)) {
    const int start = d.edges[static_cast<std::size_t>(loop.front())].from;
    std::string chain;
    std::vector<Note> notes;
    const Edge* last_wire = nullptr;
    for (const int index : loop) {
      const Edge& e = d.edges[static_cast<std::size_t>(index)];
      const std::string from = name_of(system, d.nodes[static_cast<std::size_t>(e.from)]);
      const std::string to = name_of(system, d.nodes[static_cast<std::size_t>(e.to)]);
      if (chain.empty()) chain = from;
      if (from != to) chain += " -> " + to;
      if (e.wire >= 0) {
        const Wire& wire = system.wires[static_cast<std::size_t>(e.wire)];
        notes.push_back(
            {wire.where, fmt::format("{} goes to {}{}", port_text(system, wire.from), port_text(system, wire.to),
                                     e.why == Edge::Why::primes ? ", which is read before the block's first outputs"
                                                                : ", which feeds through")});
        last_wire = &e;
      } else if (e.why == Edge::Why::enables) {
        notes.push_back({place_of(system, d.nodes[static_cast<std::size_t>(e.to)]),
                         fmt::format("{} enables or resets {}", from, to)});
      }
    }
    std::string help = "no block of the loop waits for a tick: break it where the real system has a delay";
    if (last_wire != nullptr) {
      const Wire& wire = system.wires[static_cast<std::size_t>(last_wire->wire)];
      help = fmt::format(
          "put a discrete/UnitDelay where the real system waits a tick, for instance between {} and {}; hilda "
          "never inserts a delay by itself",
          port_text(system, wire.from), port_text(system, wire.to));
    }
    diagnostics.error("algebraic-loop", place_of(system, d.nodes[static_cast<std::size_t>(start)]),
                      fmt::format("the blocks need each other's outputs within one tick: {}", chain), help,
                      std::move(notes));
  }
}

} // namespace hilda
