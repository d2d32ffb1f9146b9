#pragma once

#include "engine/model/system.h"

#include <vector>

namespace hilda {

/// What the plan orders: the pieces of a block that run at a tick, and the conditions they run under.
struct Node {
  enum class Kind : std::uint8_t {
    guard,        ///< decides whether its members run, and resets them
    prime,        ///< reads a block's priming inputs
    state_output, ///< outputs from state and time
    safety,       ///< checks what goes to an input that moves something
    output        ///< outputs from inputs
  };
  Kind kind{};
  int owner = -1; ///< block; guard where kind is guard, wire where it is safety
};

/// Why one node runs before another.
struct Edge {
  int from = -1, to = -1; ///< nodes
  int wire = -1;          ///< index of the wire, or -1
  enum class Why : std::uint8_t { feedthrough, primes, enables, checked, own_state } why{};
};

/// The order that the blocks' declarations ask for.
///
/// Two of them are made: at tick 0 every priming input counts, later only those of blocks under a guard, which may
/// start or start again at any tick.
struct DependencyGraph {
  std::vector<Node> nodes;
  std::vector<Edge> edges; ///< sorted by (from, to)

  /// Node of a block's output by slot: -1 where it needs none (acquired, or never computed at a tick).
  int producer(const System&, const PortRef&) const;

  std::vector<int> guard_node, prime_node, state_node, output_node; ///< by block or guard; -1: none
  std::vector<int> safety_node;                                     ///< by wire; -1: none
};

DependencyGraph dependencies(const System& system, bool first_tick);

/// Does this input feed through, as declared and with the block's parameters?
bool feeds_through(const SystemBlock& block, const Slot& input);
/// Is this output computed from state alone, as declared and with the block's parameters?
bool from_state(const SystemBlock& block, const Slot& output);

} // namespace hilda
