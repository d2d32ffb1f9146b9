// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace hilda::run {

namespace {

/// Takes out the blocks whose update reads what this order computes after their output.
void take_out_early(const System& system, const DependencyGraph& d, const std::vector<NodeIndex>& order,
                    Indexed<BlockIndex, bool>& fused) {
  Indexed<NodeIndex, std::size_t> position(d.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  for (const WireIndex w : system.wires.indices()) {
    const Wire& wire = system.wires[w];
    const BlockIndex reader = wire.to.block;
    if (!fused[reader]) continue;
    const NodeIndex source = d.safety_node[w].valid() ? d.safety_node[w] : d.producer(system, wire.from);
    if (source.valid() && position[source] > position[d.output_node[reader]]) fused[reader] = false;
  }
}

/// A block may be updated right after its output where everything that its update reads has its value of this tick: in
/// the first tick, too, whose order is another one.
Indexed<BlockIndex, bool> fusable(const System& system, const Plan& plan) {
  Indexed<BlockIndex, bool> result(system.blocks.size(), false);
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    const hilda_block_type& type = *block.type->abi;
    // stored energy is asked for between outputs and updates
    const bool asked = type.extension != nullptr && type.extension("hilda.energy/1") != nullptr;
    result[b] = type.step_many != nullptr && plan.graph.output_node[b].valid() && type.emit == nullptr && !asked &&
                !block.continuous;
  }
  // what a driver sends or measures may change after the outputs
  for (const Wire& wire : system.wires)
    if (result[wire.to.block] && system.blocks[wire.from.block].type->abi->emit != nullptr)
      result[wire.to.block] = false;
  take_out_early(system, plan.graph, plan.order, result);
  take_out_early(system, plan.first_graph, plan.first_order, result);
  return result;
}

std::vector<BlockIndex> memory_order(const System& system, const DependencyGraph& d,
                                     const std::vector<NodeIndex>& order) {
  std::vector<BlockIndex> result;
  result.reserve(system.blocks.size());
  Indexed<BlockIndex, bool> placed(system.blocks.size(), false);
  const auto place = [&](BlockIndex block) {
    if (placed[block]) return;
    placed[block] = true;
    result.push_back(block);
  };
  for (const NodeIndex n : order) {
    const Node& node = d.nodes[n];
    const bool last_piece = node.kind == Node::Kind::output ||
                            (node.kind == Node::Kind::state_output && !d.output_node[node.block].valid());
    if (last_piece) place(node.block);
  }
  for (const BlockIndex block : system.blocks.indices()) place(block);
  return result;
}

/// Is there a block whose priming inputs count at tick 0 alone?
bool primes_once(const System& system) {
  return std::any_of(system.blocks.begin(), system.blocks.end(), [](const SystemBlock& block) {
    return block.type->abi->prime != nullptr && !block.guard.valid();
  });
}

} // namespace

std::string port_text(const System& system, const PortRef& port) {
  const SystemBlock& block = system.blocks[port.block];
  std::string text = block.path + "." + block.type->slots[port.slot].name;
  if (port.item >= 0) text += "[" + std::to_string(port.item) + "]";
  for (const std::string& part : port.part) text += (part.starts_with("[") ? "" : ".") + part;
  return text;
}

std::optional<Plan> make_plan(const System& system, Diagnostics& diagnostics) {
  Plan plan;
  plan.graph = dependencies(system, false);
  std::optional<std::vector<NodeIndex>> later = order(system, plan.graph), first;
  if (primes_once(system)) {
    plan.first_graph = dependencies(system, true);
    first = order(system, plan.first_graph);
  } else {
    plan.first_graph = plan.graph;
    first = later;
  }
  if (!later)
    report_loops(system, plan.graph, diagnostics);
  else if (!first)
    report_loops(system, plan.first_graph, diagnostics);
  if (!later || !first) return std::nullopt;
  plan.order = std::move(*later);
  plan.first_order = std::move(*first);
  plan.memory = memory_order(system, plan.graph, plan.order);
  plan.fused = fusable(system, plan);
  return plan;
}

namespace {

std::string edge_text(const System& system, const Guard& guard) {
  static constexpr const char* edges[] = {"", "rising", "falling", "either"};
  return fmt::format("{} edges of {}", edges[static_cast<int>(guard.edge)], port_text(system, guard.trigger));
}

std::string guard_text(const System& system, GuardIndex guard) {
  std::string text;
  for (; guard.valid(); guard = system.guards[guard].parent) {
    const Guard& g = system.guards[guard];
    if (g.has_enable) text += fmt::format("  if {}", port_text(system, g.signal));
    if (g.has_reset) text += fmt::format("  reset by {}", port_text(system, g.reset));
    if (g.edge != Guard::Edge::none) text += fmt::format("  at {}", edge_text(system, g));
  }
  return text;
}

/// Of outputs whose numbers have names, such as the state of a chart: "  state: red green".
std::string named_values(const SystemBlock& block, Node::Kind piece) {
  std::string text;
  if (piece == Node::Kind::prime || piece == Node::Kind::parameters) return text;
  for (const Slot& slot : block.type->slots) {
    if (slot.role != HILDA_OUTPUT || slot.choices.empty()) continue;
    if (from_state(block, slot) != (piece == Node::Kind::state_output)) continue;
    text += "  " + slot.name + ":";
    for (const std::string& name : slot.choices) text += " " + name;
  }
  return text;
}

std::string node_text(const System& system, const Plan& plan, const Node& node) {
  if (node.kind == Node::Kind::guard) return fmt::format("guard         {}", system.guards[node.guard].path);
  if (node.kind == Node::Kind::safety)
    return fmt::format("safety        {}", port_text(system, system.wires[node.wire].to));
  const SystemBlock& block = system.blocks[node.block];
  const char* piece = node.kind == Node::Kind::parameters     ? "parameters"
                      : node.kind == Node::Kind::prime        ? "prime"
                      : node.kind == Node::Kind::state_output ? "state output"
                                                              : "output";
  const bool fused = node.kind == Node::Kind::output && plan.fused[node.block];
  return fmt::format("{:<13} {}  ({})  {}{}{}{}", piece, block.path, block.type->name, rate_text(system, block),
                     guard_text(system, block.guard), fused ? "  and update at once" : "",
                     named_values(block, node.kind));
}

std::string reason_text(const System& system, const DependencyGraph& d, const Edge& edge) {
  switch (edge.why) {
  case Edge::Why::feedthrough:
  case Edge::Why::primes:
  case Edge::Why::checked: {
    const Wire& wire = system.wires[edge.wire];
    const char* what = edge.why == Edge::Why::primes    ? "primes with"
                       : edge.why == Edge::Why::checked ? "checks"
                                                        : "reads";
    return fmt::format("{} {} ({}:{})", what, port_text(system, wire.from), wire.where.file ? *wire.where.file : "",
                       wire.where.line);
  }
  case Edge::Why::enables: {
    const Node& from = d.nodes[edge.from];
    return from.kind == Node::Kind::guard ? fmt::format("under guard {}", system.guards[from.guard].path)
                                          : fmt::format("needs {}", system.blocks[from.block].path);
  }
  case Edge::Why::own_state: return "after its own earlier piece";
  }
  return "";
}

} // namespace

std::string plan_text(const System& system, const Plan& plan) {
  Indexed<NodeIndex, std::vector<const Edge*>> in(plan.graph.nodes.size());
  for (const Edge& e : plan.graph.edges)
    if (e.why != Edge::Why::own_state) in[e.to].push_back(&e);
  std::string text =
      fmt::format("{}: {} blocks, base tick {}\n", system.name, system.blocks.size(), time_text(system.base));
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const NodeIndex n = plan.order[i];
    fmt::format_to(std::back_inserter(text), "{:4}  {}\n", i + 1, node_text(system, plan, plan.graph.nodes[n]));
    for (const Edge* e : in[n])
      fmt::format_to(std::back_inserter(text), "        {}\n", reason_text(system, plan.graph, *e));
  }
  return text;
}

} // namespace hilda::run
