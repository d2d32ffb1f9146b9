#include "engine/analyse/linearize/influence.h"

namespace hilda {
namespace {

/// Who is read by whom, as far as the system tells without running: by block, those that it hears.
class Listeners {
public:
  explicit Listeners(const System& system) : heard_(system.blocks.size()) {
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

  const std::vector<BlockIndex>& of(BlockIndex block) const { return heard_[block]; }

private:
  void hear(BlockIndex block, BlockIndex source) {
    if (block.valid() && source.valid()) heard_[block].push_back(source);
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

  Indexed<BlockIndex, std::vector<BlockIndex>> heard_;
};

} // namespace

Indexed<BlockIndex, bool> influences(const System& system, const std::vector<BlockIndex>& outputs) {
  const Listeners listeners(system);
  Indexed<BlockIndex, bool> found(system.blocks.size(), false);
  std::vector<BlockIndex> fresh;
  const auto take = [&](BlockIndex block) {
    if (found[block]) return;
    found[block] = true;
    fresh.push_back(block);
  };
  for (const BlockIndex block : outputs) take(block);
  while (!fresh.empty()) {
    const BlockIndex block = fresh.back();
    fresh.pop_back();
    for (const BlockIndex source : listeners.of(block)) take(source);
  }
  return found;
}

} // namespace hilda
