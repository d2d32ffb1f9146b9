#include "engine/analyse/linearize/influence.h"

namespace hilda {
namespace {

/// Who is read by whom, as far as the system tells without running: by block, those that it hears.
class Sources {
public:
  explicit Sources(const System& system) : heard_(system.blocks.size()) {
    for (const Wire& wire : system.wires) hear(wire.to.block, wire.from.block);
    for (std::size_t b = 0; b < system.blocks.size(); ++b)
      for (int g = system.blocks[b].guard; g >= 0; g = system.guards[static_cast<std::size_t>(g)].parent) {
        const Guard& guard = system.guards[static_cast<std::size_t>(g)];
        if (guard.has_enable) hear(static_cast<int>(b), guard.signal.block);
        if (guard.has_reset) hear(static_cast<int>(b), guard.reset.block);
      }
    join_gates(system);
  }

  const std::vector<int>& of(int block) const { return heard_[static_cast<std::size_t>(block)]; }

private:
  void hear(int block, int source) {
    if (block >= 0 && source >= 0) heard_[static_cast<std::size_t>(block)].push_back(source);
  }

  /// What trips one gate stops all.
  void join_gates(const System& system) {
    std::vector<int> movers, commanders;
    for (const Wire& wire : system.wires) {
      if (wire.from.block < 0 || wire.to.block < 0) continue;
      const BlockType& type = *system.blocks[static_cast<std::size_t>(wire.to.block)].type;
      if (!type.slots[static_cast<std::size_t>(wire.to.slot)].is(HILDA_ACTUATION)) continue;
      movers.push_back(wire.to.block);
      commanders.push_back(wire.from.block);
    }
    for (const int mover : movers)
      for (const int commander : commanders) hear(mover, commander);
  }

  std::vector<std::vector<int>> heard_;
};

} // namespace

std::vector<bool> influences(const System& system, const std::vector<int>& outputs) {
  const Sources sources(system);
  std::vector<bool> found(system.blocks.size(), false);
  std::vector<int> fresh;
  const auto take = [&](int block) {
    if (found[static_cast<std::size_t>(block)]) return;
    found[static_cast<std::size_t>(block)] = true;
    fresh.push_back(block);
  };
  for (const int block : outputs) take(block);
  while (!fresh.empty()) {
    const int block = fresh.back();
    fresh.pop_back();
    for (const int source : sources.of(block)) take(source);
  }
  return found;
}

} // namespace hilda
