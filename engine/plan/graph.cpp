#include "engine/plan/graph.h"

#include <algorithm>

namespace hilda {

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
    for (std::size_t w = 0; w < system_.wires.size(); ++w) add_wire(static_cast<int>(w));
    for (std::size_t g = 0; g < system_.guards.size(); ++g) add_guard(static_cast<int>(g));
    for (std::size_t b = 0; b < system_.blocks.size(); ++b) add_block(b);
    finish();
    return std::move(d_);
  }

private:
  int add(Node::Kind kind, std::size_t owner) {
    d_.nodes.push_back({kind, static_cast<int>(owner)});
    return static_cast<int>(d_.nodes.size()) - 1;
  }

  void add_nodes() {
    const std::size_t n = system_.blocks.size();
    d_.guard_node.assign(system_.guards.size(), -1);
    d_.safety_node.assign(system_.wires.size(), -1);
    d_.prime_node.assign(n, -1);
    d_.state_node.assign(n, -1);
    d_.output_node.assign(n, -1);
    for (std::size_t g = 0; g < system_.guards.size(); ++g) d_.guard_node[g] = add(Node::Kind::guard, g);
    for (std::size_t b = 0; b < n; ++b) {
      const SystemBlock& block = system_.blocks[b];
      const hilda_block_type& type = *block.type->abi;
      if (type.prime != nullptr && (first_tick_ || block.guard >= 0)) d_.prime_node[b] = add(Node::Kind::prime, b);
      if (type.state_output != nullptr && !idle(block, Node::Kind::state_output))
        d_.state_node[b] = add(Node::Kind::state_output, b);
      if (type.output != nullptr && !idle(block, Node::Kind::output)) d_.output_node[b] = add(Node::Kind::output, b);
    }
  }

  void edge(int from, int to, int wire, Edge::Why why) {
    if (from >= 0 && to >= 0) d_.edges.push_back({from, to, wire, why});
  }

  void add_wire(int index) {
    const Wire& wire = system_.wires[static_cast<std::size_t>(index)];
    if (wire.from.block < 0 || wire.to.block < 0) return;
    const auto to = static_cast<std::size_t>(wire.to.block);
    const SystemBlock& reader = system_.blocks[to];
    const Slot& input = reader.type->slots[static_cast<std::size_t>(wire.to.slot)];
    int from = d_.producer(system_, wire.from);
    if (input.is(HILDA_ACTUATION)) {
      const int stage = add(Node::Kind::safety, static_cast<std::size_t>(index));
      d_.safety_node[static_cast<std::size_t>(index)] = stage;
      edge(from, stage, index, Edge::Why::checked);
      if (reader.guard >= 0) edge(d_.guard_node[static_cast<std::size_t>(reader.guard)], stage, -1, Edge::Why::enables);
      from = stage;
    }
    if (feeds_through(reader, input)) edge(from, d_.output_node[to], index, Edge::Why::feedthrough);
    if (input.is(HILDA_PRIMES)) edge(from, d_.prime_node[to], index, Edge::Why::primes);
  }

  void add_guard(int index) {
    const Guard& guard = system_.guards[static_cast<std::size_t>(index)];
    const int node = d_.guard_node[static_cast<std::size_t>(index)];
    if (guard.parent >= 0) edge(d_.guard_node[static_cast<std::size_t>(guard.parent)], node, -1, Edge::Why::enables);
    if (guard.has_enable) edge(d_.producer(system_, guard.signal), node, -1, Edge::Why::enables);
    if (guard.has_reset) edge(d_.producer(system_, guard.reset), node, -1, Edge::Why::enables);
  }

  void add_block(std::size_t b) {
    const int guard = system_.blocks[b].guard;
    const int pieces[] = {d_.prime_node[b], d_.state_node[b], d_.output_node[b]};
    if (guard >= 0)
      for (const int piece : pieces)
        edge(d_.guard_node[static_cast<std::size_t>(guard)], piece, -1, Edge::Why::enables);
    edge(d_.prime_node[b], d_.state_node[b], -1, Edge::Why::own_state);
    edge(d_.prime_node[b], d_.output_node[b], -1, Edge::Why::own_state);
    edge(d_.state_node[b], d_.output_node[b], -1, Edge::Why::own_state);
  }

  void finish() {
    std::stable_sort(d_.edges.begin(), d_.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  }

  const System& system_;
  bool first_tick_;
  DependencyGraph d_;
};

} // namespace

int DependencyGraph::producer(const System& system, const PortRef& port) const {
  const auto b = static_cast<std::size_t>(port.block);
  const SystemBlock& block = system.blocks[b];
  const Slot& slot = block.type->slots[static_cast<std::size_t>(port.slot)];
  if (slot.is(HILDA_MEASUREMENT)) return -1;
  return from_state(block, slot) ? state_node[b] : output_node[b];
}

DependencyGraph dependencies(const System& system, bool first_tick) { return Builder(system, first_tick).build(); }

} // namespace hilda
