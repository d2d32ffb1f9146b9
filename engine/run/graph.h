// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::run {

/// What the plan orders: the pieces of a block that run at a tick, and the conditions they run under.
struct Node {
  enum class Kind : std::uint8_t {
    guard,        ///< decides whether its members run, and resets them
    prime,        ///< reads a block's priming inputs
    state_output, ///< outputs from state and time
    safety,       ///< checks what goes to an input that moves something
    output,       ///< outputs from inputs
    parameters    ///< takes a block's parameters from the wires that drive them
  };
  Kind kind{};
  BlockIndex block{}; ///< whose piece it is; of a stage of safety the block behind it
  GuardIndex guard{}; ///< where kind is guard
  WireIndex wire{};   ///< where kind is safety
};

using NodeIndex = Index<struct NodeTag>; ///< into DependencyGraph::nodes
using EdgeIndex = Index<struct EdgeTag>; ///< into DependencyGraph::edges

/// Why one node runs before another.
struct Edge {
  enum class Why : std::uint8_t { feedthrough, primes, enables, checked, own_state };
  NodeIndex from{}, to{};
  Why why{};
  WireIndex wire{}; ///< which is the reason, or none
};

/// The order that the blocks' declarations ask for.
///
/// Two of them are made: at tick 0 every priming input counts, later only those of blocks under a guard, which may
/// start or start again at any tick.
struct DependencyGraph {
  Indexed<NodeIndex, Node> nodes;
  Indexed<EdgeIndex, Edge> edges; ///< sorted by (from, to)

  /// Node of a block's output by slot: none where it needs none (acquired, or never computed at a tick).
  NodeIndex producer(const System&, const PortRef&) const;

  Indexed<BlockIndex, NodeIndex> parameters_node, prime_node, state_node, output_node;
  Indexed<GuardIndex, NodeIndex> guard_node;
  Indexed<WireIndex, NodeIndex> safety_node;
};

DependencyGraph dependencies(const System& system, bool first_tick);

/// Does this input feed through, as declared and with the block's parameters?
bool feeds_through(const SystemBlock& block, const Slot& input);
/// Is this output computed from state alone, as declared and with the block's parameters?
bool from_state(const SystemBlock& block, const Slot& output);

} // namespace hilda::run
