// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/live/watches.h"

#include "engine/base/error.h"

#include <algorithm>

namespace hilda::session {
namespace {

bool touches_world(const BlockType& type) { return type.abi->acquire != nullptr || type.abi->emit != nullptr; }

/// What comes out of it no one takes: it is there to look.
bool may_end_the_run(const System& system, BlockIndex block) {
  const BlockType& type = *system.blocks[block].type;
  if ((type.abi->flags & HILDA_SINK) == 0 || touches_world(type)) return false;
  return std::any_of(type.slots.begin(), type.slots.end(), [](const Slot& slot) {
    return (slot.role == HILDA_PARAMETER && slot.is(HILDA_LIVE)) ||
           (slot.role == HILDA_INPUT && slot.element == HILDA_U8);
  });
}

} // namespace

Indexed<BlockIndex, unsigned char> watching_blocks(const System& system) {
  Indexed<BlockIndex, unsigned char> watching(system.blocks.size(), 0), read(system.blocks.size(), 0);
  for (const BlockIndex b : system.blocks.indices()) watching[b] = may_end_the_run(system, b) ? 1 : 0;
  for (const Wire& wire : system.wires)
    if (wire.from.block.valid()) read[wire.from.block] = 1;
  for (bool more = true; more;) {
    Indexed<BlockIndex, unsigned char> elsewhere(system.blocks.size(), 0);
    for (const Wire& wire : system.wires)
      if (wire.from.block.valid() && wire.to.block.valid() && watching[wire.to.block] == 0)
        elsewhere[wire.from.block] = 1;
    more = false;
    for (const BlockIndex b : system.blocks.indices()) {
      if (watching[b] != 0 || read[b] == 0 || elsewhere[b] != 0 || touches_world(*system.blocks[b].type)) continue;
      watching[b] = 1;
      more = true;
    }
  }
  return watching;
}

bool spares_watches(const System& system, const LiveChange& change, Diagnostics& diagnostics, Location where) {
  std::vector<BlockParameter> written;
  for (const ParameterChange::InBlock& each : change.change.blocks)
    if (!same_numbers(each.value, system.blocks[each.parameter.block].parameters[each.parameter.index].value))
      written.push_back(each.parameter);
  return spares_watches(system, written, diagnostics, where);
}

bool spares_watches(const System& system, const std::vector<BlockParameter>& written, Diagnostics& diagnostics,
                    Location where) {
  if (written.empty()) return true;
  const Indexed<BlockIndex, unsigned char> watching = watching_blocks(system);
  for (const BlockParameter& each : written) {
    if (watching[each.block] == 0) continue;
    const SystemBlock& block = system.blocks[each.block];
    const ParameterValue& parameter = block.parameters[each.index];
    const std::string path = block.path + "." + block.type->slots[parameter.slot].name;
    diagnostics.error("live-watch", where,
                      in_quotes(path) + " watches what moves, and is fixed while devices move, as limits are",
                      "end the run, and start it with --set", {{parameter.where, "its value comes from here"}});
    return false;
  }
  return true;
}

} // namespace hilda::session
