// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/graph.h"

#include "engine/catalogue/driven_type.h"

#include <algorithm>

namespace hilda::run {

bool feeds_through(const SystemBlock& block, const Slot& input) {
  if (input.is(HILDA_IN_UPDATE)) return false;
  return !input.is(HILDA_CONDITIONAL) || block.feeds_through;
}

bool from_state(const SystemBlock& block, const Slot& output) {
  if (output.is(HILDA_STATE_OUTPUT)) return true;
  return output.is(HILDA_CONDITIONAL) && !block.feeds_through;
}

namespace {

/// Does this piece have anything to compute? Not where conditional outputs all belong to the other piece.
bool idle(const SystemBlock& block, Node::Kind piece) {
  bool conditional = false;
  for (const Slot& slot : block.type->slots) {
    if (slot.role != HILDA_OUTPUT) continue;
    if (from_state(block, slot) == (piece == Node::Kind::state_output)) return false;
    conditional = conditional || slot.is(HILDA_CONDITIONAL);
  }
  return conditional;
}

class Builder {
public:
  Builder(const System& system, bool first_tick) : system_(system), first_tick_(first_tick) {}

  DependencyGraph build() {
    add_nodes();
    for (const WireIndex wire : system_.wires.indices()) add_wire(wire);
    for (const GuardIndex guard : system_.guards.indices()) add_guard(guard);
    for (const BlockIndex block : system_.blocks.indices()) add_block(block);
    finish();
    return std::move(d_);
  }

private:
  NodeIndex add(const Node& node) {
    d_.nodes.push_back(node);
    return NodeIndex(d_.nodes.size() - 1);
  }
  NodeIndex add_piece(Node::Kind kind, BlockIndex block) { return add({.kind = kind, .block = block}); }

  void add_nodes() {
    const std::size_t n = system_.blocks.size();
    d_.guard_node.resize(system_.guards.size());
    d_.safety_node.resize(system_.wires.size());
    d_.parameters_node.resize(n);
    d_.prime_node.resize(n);
    d_.state_node.resize(n);
    d_.output_node.resize(n);
    for (const GuardIndex g : system_.guards.indices()) d_.guard_node[g] = add({.kind = Node::Kind::guard, .guard = g});
    for (const BlockIndex b : system_.blocks.indices()) {
      const SystemBlock& block = system_.blocks[b];
      const hilda_block_type& type = *block.type->abi;
      if (has_driven(*block.type)) d_.parameters_node[b] = add_piece(Node::Kind::parameters, b);
      if (type.prime != nullptr && (first_tick_ || block.guard.valid()))
        d_.prime_node[b] = add_piece(Node::Kind::prime, b);
      if (type.state_output != nullptr && !idle(block, Node::Kind::state_output))
        d_.state_node[b] = add_piece(Node::Kind::state_output, b);
      if (type.output != nullptr && !idle(block, Node::Kind::output))
        d_.output_node[b] = add_piece(Node::Kind::output, b);
    }
  }

  /// Nothing where one of the two is not needed.
  void edge(NodeIndex from, NodeIndex to, Edge::Why why, WireIndex wire = {}) {
    if (from.valid() && to.valid()) d_.edges.push_back({.from = from, .to = to, .why = why, .wire = wire});
  }
  NodeIndex node_of(GuardIndex guard) const { return guard.valid() ? d_.guard_node[guard] : NodeIndex(); }

  void add_wire(WireIndex index) {
    const Wire& wire = system_.wires[index];
    const BlockIndex to = wire.to.block;
    if (!wire.from.block.valid() || !to.valid()) return;
    const SystemBlock& reader = system_.blocks[to];
    const Slot& input = reader.type->slots[wire.to.slot];
    NodeIndex from = d_.producer(system_, wire.from);
    if (drives_parameter(*reader.type, wire.to.slot))
      return edge(from, d_.parameters_node[to], Edge::Why::feedthrough, index);
    if (input.is(HILDA_ACTUATION)) {
      const NodeIndex stage = add({.kind = Node::Kind::safety, .block = to, .wire = index});
      d_.safety_node[index] = stage;
      edge(from, stage, Edge::Why::checked, index);
      edge(node_of(reader.guard), stage, Edge::Why::enables);
      from = stage;
    }
    if (feeds_through(reader, input)) edge(from, d_.output_node[to], Edge::Why::feedthrough, index);
    if (input.is(HILDA_PRIMES)) edge(from, d_.prime_node[to], Edge::Why::primes, index);
  }

  void add_guard(GuardIndex index) {
    const Guard& guard = system_.guards[index];
    const NodeIndex node = d_.guard_node[index];
    edge(node_of(guard.parent), node, Edge::Why::enables);
    if (guard.has_enable) edge(d_.producer(system_, guard.signal), node, Edge::Why::enables);
    if (guard.has_reset) edge(d_.producer(system_, guard.reset), node, Edge::Why::enables);
    if (guard.edge != Guard::Edge::none) edge(d_.producer(system_, guard.trigger), node, Edge::Why::enables);
  }

  void add_block(BlockIndex b) {
    const NodeIndex guard = node_of(system_.blocks[b].guard);
    for (const NodeIndex piece : {d_.parameters_node[b], d_.prime_node[b], d_.state_node[b], d_.output_node[b]})
      edge(guard, piece, Edge::Why::enables);
    for (const NodeIndex piece : {d_.prime_node[b], d_.state_node[b], d_.output_node[b]})
      edge(d_.parameters_node[b], piece, Edge::Why::own_state); // which parameters an output depends on is not declared
    edge(d_.prime_node[b], d_.state_node[b], Edge::Why::own_state);
    edge(d_.prime_node[b], d_.output_node[b], Edge::Why::own_state);
    edge(d_.state_node[b], d_.output_node[b], Edge::Why::own_state);
  }

  /// Sorts the edges: by counting, since there are as many as wires.
  void finish() {
    std::vector<std::size_t> next(d_.nodes.size() + 1, 0);
    for (const Edge& e : d_.edges) ++next[e.from.number() + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    Indexed<EdgeIndex, Edge> sorted(d_.edges.size());
    for (const Edge& e : d_.edges) sorted[next[e.from.number()]++] = e;
    for (std::size_t node = 0, begin = 0; node < d_.nodes.size(); begin = next[node++]) { // which is its end by now
      const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begin);
      if (next[node] - begin > 1)
        std::stable_sort(first, sorted.begin() + static_cast<std::ptrdiff_t>(next[node]),
                         [](const Edge& a, const Edge& b) { return a.to < b.to; });
    }
    d_.edges = std::move(sorted);
  }

  const System& system_;
  bool first_tick_;
  DependencyGraph d_;
};

} // namespace

NodeIndex DependencyGraph::producer(const System& system, const PortRef& port) const {
  const SystemBlock& block = system.blocks[port.block];
  const Slot& slot = block.type->slots[port.slot];
  if (slot.is(HILDA_MEASUREMENT)) return {};
  return from_state(block, slot) ? state_node[port.block] : output_node[port.block];
}

DependencyGraph dependencies(const System& system, bool first_tick) { return Builder(system, first_tick).build(); }

} // namespace hilda::run
