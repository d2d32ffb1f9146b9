// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/check/solver_remark.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"
#include "engine/catalogue/time_following.h"

#include <algorithm>
#include <fmt/format.h>

namespace hilda::compile {
namespace {

/// A boolean changes now and then, whatever moves what it is made of.
bool rests(const System& system, const Wire& wire) {
  const SystemBlock& from = system.blocks[wire.from.block];
  return from.type->slots[wire.from.slot].element == HILDA_U8;
}

} // namespace

std::vector<BlockIndex> restless_blocks(const System& system) {
  Indexed<BlockIndex, char> moving(system.blocks.size(), 0);
  for (const BlockIndex b : system.blocks.indices()) {
    const auto random = [](const Slot& slot) { return slot.is(HILDA_RNG); };
    const BlockType& type = *system.blocks[b].type;
    if (system.blocks[b].continuous || follows_time(type) || std::any_of(type.slots.begin(), type.slots.end(), random))
      moving[b] = 1;
  }
  for (bool more = true; more;) {
    more = false;
    for (const Wire& wire : system.wires) {
      if (!wire.from.block.valid() || !wire.to.block.valid()) continue;
      if (moving[wire.from.block] == 0 || moving[wire.to.block] != 0 || rests(system, wire)) continue;
      moving[wire.to.block] = 1;
      more = true;
    }
  }
  std::vector<BlockIndex> found;
  for (const Wire& wire : system.wires) {
    const BlockIndex from = wire.from.block, to = wire.to.block;
    if (!from.valid() || !to.valid() || !system.blocks[to].continuous) continue;
    if (system.blocks[from].continuous || moving[from] == 0 || rests(system, wire)) continue;
    if (std::find(found.begin(), found.end(), from) == found.end()) found.push_back(from);
  }
  return found;
}

std::string solver_remark(const System& system) {
  if (!has_variable_step(system.solver.kind)) return {};
  FewNames names;
  for (const BlockIndex b : restless_blocks(system)) {
    if (system.blocks[b].divider != 1) continue;
    names.add(in_quotes(system.blocks[b].path));
  }
  if (names.count() == 0) return {};
  const std::string tick = time_text(system.base);
  return fmt::format("the step of {} restarts at every tick: {} {} continuous blocks samples, each held for a tick of "
                     "{} and half of that late in the mean, whatever rtol is; a continuous block in its place has the "
                     "error of rtol, and where samples are meant, solver=\"rk4\" costs less, unless the equations are "
                     "stiff",
                     solver_name(system.solver.kind), names.text(), names.count() == 1 ? "gives" : "give", tick);
}

} // namespace hilda::compile
