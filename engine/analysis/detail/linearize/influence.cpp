// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/influence.h"

namespace hilda::analysis {
namespace {

/// Who is read by whom, as far as the system shows without running: by block, those that it hears, or that hear it.
class Listeners {
public:
  enum class Way { heard, hearing };
  Listeners(const System& system, Way way) : way_(way), next_(system.blocks.size()) {
    for (const Wire& wire : system.wires) hear(wire.to.block, wire.from.block);
    for (const BlockIndex b : system.blocks.indices())
      for (GuardIndex g = system.blocks[b].guard; g.valid(); g = system.guards[g].parent) {
        const Guard& guard = system.guards[g];
        if (guard.has_enable) hear(b, guard.signal.block);
        if (guard.has_reset) hear(b, guard.reset.block);
        if (guard.edge != Guard::Edge::none) hear(b, guard.trigger.block);
      }
    join_gates(system);
  }

  /// Those that one comes to from these, and these.
  Indexed<BlockIndex, bool> reached_from(const std::vector<BlockIndex>& blocks) const {
    Indexed<BlockIndex, bool> found(next_.size(), false);
    std::vector<BlockIndex> fresh;
    const auto take = [&](BlockIndex block) {
      if (found[block]) return;
      found[block] = true;
      fresh.push_back(block);
    };
    for (const BlockIndex block : blocks) take(block);
    while (!fresh.empty()) {
      const BlockIndex block = fresh.back();
      fresh.pop_back();
      for (const BlockIndex other : next_[block]) take(other);
    }
    return found;
  }

private:
  void hear(BlockIndex block, BlockIndex source) {
    if (!block.valid() || !source.valid()) return;
    if (way_ == Way::heard)
      next_[block].push_back(source);
    else
      next_[source].push_back(block);
  }

  /// What trips one gate stops all.
  void join_gates(const System& system) {
    std::vector<BlockIndex> movers, commanders;
    for (const Wire& wire : system.wires) {
      if (!wire.from.block.valid() || !wire.to.block.valid()) continue;
      const BlockType& type = *system.blocks[wire.to.block].type;
      if (!type.slots[wire.to.slot].is(HILDA_ACTUATION)) continue;
      movers.push_back(wire.to.block);
      commanders.push_back(wire.from.block);
    }
    for (const BlockIndex mover : movers)
      for (const BlockIndex commander : commanders) hear(mover, commander);
  }

  Way way_;
  Indexed<BlockIndex, std::vector<BlockIndex>> next_;
};

} // namespace

Indexed<BlockIndex, bool> influences(const System& system, const std::vector<BlockIndex>& outputs) {
  return Listeners(system, Listeners::Way::heard).reached_from(outputs);
}

Indexed<BlockIndex, bool> influenced(const System& system, const std::vector<BlockIndex>& inputs) {
  return Listeners(system, Listeners::Way::hearing).reached_from(inputs);
}

} // namespace hilda::analysis
