// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/state_influence.h"

#include "engine/run/graph.h"

#include <algorithm>

namespace hilda::run {
namespace {

/// The continuous blocks that hear the states of one: itself, and on over whatever feeds through.
class Hearers {
public:
  explicit Hearers(const System& system) : system_(system), out_(system.blocks.size()) {
    for (const WireIndex w : system.wires.indices()) {
      const Wire& wire = system.wires[w];
      if (!wire.from.block.valid() || !wire.to.block.valid()) continue;
      if (system.blocks[wire.from.block].continuous && system.blocks[wire.to.block].continuous)
        out_[wire.from.block].push_back(w);
    }
  }

  std::vector<BlockIndex> of(BlockIndex source) const {
    Indexed<BlockIndex, char> heard(system_.blocks.size(), 0), passes(system_.blocks.size(), 0);
    std::vector<BlockIndex> found = {source}, fresh = {source};
    heard[source] = passes[source] = 1;
    while (!fresh.empty()) {
      const BlockIndex block = fresh.back();
      fresh.pop_back();
      for (const WireIndex w : out_[block]) {
        const PortRef& to = system_.wires[w].to;
        if (heard[to.block] == 0) heard[to.block] = 1, found.push_back(to.block);
        const SystemBlock& reader = system_.blocks[to.block];
        if (passes[to.block] != 0 || !feeds_through(reader, reader.type->slots[to.slot])) continue;
        passes[to.block] = 1;
        fresh.push_back(to.block);
      }
    }
    return found;
  }

private:
  const System& system_;
  Indexed<BlockIndex, std::vector<WireIndex>> out_;
};

} // namespace

StateInfluence state_influence(const System& system, const Schedule& schedule) {
  Indexed<BlockIndex, std::vector<std::uint32_t>> states(system.blocks.size());
  std::uint32_t count = 0;
  for (const Integrated& s : schedule.integrated)
    for (std::size_t i = 0; i < s.count; ++i) states[s.block].push_back(count++);
  StateInfluence made;
  made.rows.resize(count);
  const Hearers hearers(system);
  for (const BlockIndex block : system.blocks.indices()) {
    if (states[block].empty()) continue;
    std::vector<std::uint32_t> rows;
    for (const BlockIndex each : hearers.of(block)) rows.insert(rows.end(), states[each].begin(), states[each].end());
    std::sort(rows.begin(), rows.end());
    for (const std::uint32_t state : states[block]) made.rows[state] = rows;
  }
  std::vector<std::vector<char>> taken; // by group: rows that it has already
  for (std::uint32_t state = 0; state < count; ++state) {
    const auto free = [&](const std::vector<char>& group) {
      return std::none_of(made.rows[state].begin(), made.rows[state].end(),
                          [&](std::uint32_t row) { return group[row] != 0; });
    };
    const auto found = std::find_if(taken.begin(), taken.end(), free);
    const auto at = static_cast<std::size_t>(found - taken.begin());
    if (found == taken.end()) taken.emplace_back(count, 0), made.groups.emplace_back();
    for (const std::uint32_t row : made.rows[state]) taken[at][row] = 1;
    made.groups[at].push_back(state);
  }
  return made;
}

} // namespace hilda::run
