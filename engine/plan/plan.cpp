#include "engine/plan/plan.h"

#include "engine/infer/infer.h"

#include <fmt/format.h>
#include <iterator>

namespace hilda {

namespace {

/// A block may be updated right after its output where everything that its update reads has its value of this tick.
std::vector<bool> fusable(const System& system, const DependencyGraph& d, const std::vector<int>& order) {
  std::vector<int> position(d.nodes.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  std::vector<bool> result(system.blocks.size(), false);
  for (std::size_t b = 0; b < result.size(); ++b) {
    const SystemBlock& block = system.blocks[b];
    const hilda_block_type& type = *block.type->abi;
    // stored energy is asked for between outputs and updates
    const bool asked = type.extension != nullptr && type.extension("hilda.energy/1") != nullptr;
    result[b] =
        type.step_many != nullptr && d.output_node[b] >= 0 && type.emit == nullptr && !asked && !block.continuous;
  }
  for (std::size_t w = 0; w < system.wires.size(); ++w) {
    const Wire& wire = system.wires[w];
    const auto reader = static_cast<std::size_t>(wire.to.block);
    if (!result[reader]) continue;
    // what a driver sends or measures may change after the outputs
    if (system.blocks[static_cast<std::size_t>(wire.from.block)].type->abi->emit != nullptr) result[reader] = false;
    const int source = d.safety_node[w] >= 0 ? d.safety_node[w] : d.producer(system, wire.from);
    if (source < 0) continue;
    if (position[static_cast<std::size_t>(source)] > position[static_cast<std::size_t>(d.output_node[reader])])
      result[reader] = false;
  }
  return result;
}

std::vector<int> memory_order(const System& system, const DependencyGraph& d, const std::vector<int>& order) {
  std::vector<int> result;
  result.reserve(system.blocks.size());
  std::vector<bool> placed(system.blocks.size(), false);
  const auto place = [&](int block) {
    if (placed[static_cast<std::size_t>(block)]) return;
    placed[static_cast<std::size_t>(block)] = true;
    result.push_back(block);
  };
  for (const int n : order) {
    const Node& node = d.nodes[static_cast<std::size_t>(n)];
    const bool last_piece =
        node.kind == Node::Kind::output ||
        (node.kind == Node::Kind::state_output && d.output_node[static_cast<std::size_t>(node.owner)] < 0);
    if (last_piece) place(node.owner);
  }
  for (std::size_t b = 0; b < system.blocks.size(); ++b) place(static_cast<int>(b));
  return result;
}

} // namespace

std::string port_text(const System& system, const PortRef& port) {
  const SystemBlock& block = system.blocks[static_cast<std::size_t>(port.block)];
  std::string text = block.path + "." + block.type->slots[static_cast<std::size_t>(port.slot)].name;
  if (port.item >= 0) text += "[" + std::to_string(port.item) + "]";
  for (const std::string& part : port.part) text += (part.starts_with("[") ? "" : ".") + part;
  return text;
}

std::optional<Plan> make_plan(const System& system, Diagnostics& diagnostics) {
  Plan plan;
  plan.graph = dependencies(system, false);
  plan.first_graph = dependencies(system, true);
  std::optional<std::vector<int>> later = order(system, plan.graph);
  std::optional<std::vector<int>> first = order(system, plan.first_graph);
  if (!later)
    report_loops(system, plan.graph, diagnostics);
  else if (!first)
    report_loops(system, plan.first_graph, diagnostics);
  if (!later || !first) return std::nullopt;
  plan.order = std::move(*later);
  plan.first_order = std::move(*first);
  plan.memory = memory_order(system, plan.graph, plan.order);
  plan.fused = fusable(system, plan.graph, plan.order);
  return plan;
}

namespace {

std::string guard_text(const System& system, int guard) {
  std::string text;
  for (; guard >= 0; guard = system.guards[static_cast<std::size_t>(guard)].parent) {
    const Guard& g = system.guards[static_cast<std::size_t>(guard)];
    if (g.has_enable) text += fmt::format("  if {}", port_text(system, g.signal));
    if (g.has_reset) text += fmt::format("  reset by {}", port_text(system, g.reset));
  }
  return text;
}

std::string node_text(const System& system, const Plan& plan, const Node& node) {
  if (node.kind == Node::Kind::guard)
    return fmt::format("guard         {}", system.guards[static_cast<std::size_t>(node.owner)].path);
  if (node.kind == Node::Kind::safety)
    return fmt::format("safety        {}", port_text(system, system.wires[static_cast<std::size_t>(node.owner)].to));
  const SystemBlock& block = system.blocks[static_cast<std::size_t>(node.owner)];
  const char* piece = node.kind == Node::Kind::prime          ? "prime"
                      : node.kind == Node::Kind::state_output ? "state output"
                                                              : "output";
  const bool fused = node.kind == Node::Kind::output && plan.fused[static_cast<std::size_t>(node.owner)];
  return fmt::format("{:<13} {}  ({})  {}{}{}", piece, block.path, block.type->name, rate_text(system, block),
                     guard_text(system, block.guard), fused ? "  and update at once" : "");
}

std::string reason_text(const System& system, const DependencyGraph& d, const Edge& edge) {
  switch (edge.why) {
  case Edge::Why::feedthrough:
  case Edge::Why::primes:
  case Edge::Why::checked: {
    const Wire& wire = system.wires[static_cast<std::size_t>(edge.wire)];
    const char* what = edge.why == Edge::Why::primes    ? "primes with"
                       : edge.why == Edge::Why::checked ? "checks"
                                                        : "reads";
    return fmt::format("{} {} ({}:{})", what, port_text(system, wire.from), wire.where.file ? *wire.where.file : "",
                       wire.where.line);
  }
  case Edge::Why::enables: {
    const Node& from = d.nodes[static_cast<std::size_t>(edge.from)];
    return from.kind == Node::Kind::guard
               ? fmt::format("under guard {}", system.guards[static_cast<std::size_t>(from.owner)].path)
               : fmt::format("needs {}", system.blocks[static_cast<std::size_t>(from.owner)].path);
  }
  case Edge::Why::own_state: return "after its own earlier piece";
  }
  return "";
}

} // namespace

std::string plan_text(const System& system, const Plan& plan) {
  std::vector<std::vector<const Edge*>> in(plan.graph.nodes.size());
  for (const Edge& e : plan.graph.edges)
    if (e.why != Edge::Why::own_state) in[static_cast<std::size_t>(e.to)].push_back(&e);
  std::string text =
      fmt::format("{}: {} blocks, base tick {}\n", system.name, system.blocks.size(), time_text(system.base));
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const auto n = static_cast<std::size_t>(plan.order[i]);
    fmt::format_to(std::back_inserter(text), "{:4}  {}\n", i + 1, node_text(system, plan, plan.graph.nodes[n]));
    for (const Edge* e : in[n])
      fmt::format_to(std::back_inserter(text), "        {}\n", reason_text(system, plan.graph, *e));
  }
  return text;
}

} // namespace hilda
