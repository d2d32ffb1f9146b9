// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/schedule/flagging.h"

#include "engine/catalogue/driven_type.h"

#include <algorithm>
#include <cmath>
#include <hilda/flags.h>
#include <limits>

namespace hilda::run {
namespace {

bool starts_with(const std::string& text, const char* word) { return text.rfind(word, 0) == 0; }

/// Infinite where that means "no bound": the default says so, and the block is checked with it.
bool unbounded(const Slot& slot, double value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!slot.initial) return false;
  return (value == infinity && starts_with(*slot.initial, "inf")) ||
         (value == -infinity && starts_with(*slot.initial, "-inf"));
}

/// The content of a slot that the marks cannot tell of.
bool beyond_marks(const Slot& slot, const Span& span) {
  if (slot.role == HILDA_INPUT) return slot.is(HILDA_ACTUATION); // from a gate and its device
  if (slot.role == HILDA_OUTPUT) return slot.is(HILDA_MEASUREMENT);
  if (slot.role != HILDA_PARAMETER || slot.element != HILDA_F64) return false;
  for (std::size_t i = 0; i < span.count; ++i)
    if (const double value = *static_cast<const double*>(span.at(i)); !std::isfinite(value) && !unbounded(slot, value))
      return true;
  return false;
}

bool flags(const BlockType& layout, const Memory& memory, BlockIndex block) {
  const hilda_block_type& type = *layout.abi;
  if ((type.flags & HILDA_RAISES_FLAGS) == 0) return false;
  if (has_driven(layout)) return false; // values prepared from them may be infinite, without another mark
  if (type.acquire != nullptr || (type.flags & HILDA_EXTERNAL_STATE) != 0) return false;
  for (const SlotIndex s : layout.slots.indices()) {
    const Slot& slot = layout.slots[s];
    if (beyond_marks(slot, slot.role == HILDA_PARAMETER ? memory.span(block, s) : Span{})) return false;
  }
  return true;
}

bool resets(const System& system, GuardIndex guard) {
  for (; guard.valid(); guard = system.guards[guard].parent)
    if (system.guards[guard].has_reset) return true;
  return false;
}

} // namespace

Flagging flagging_blocks(const System& system, const Memory& memory) {
  Flagging list;
  list.reserve(system.blocks.size());
  for (const BlockIndex b : system.blocks.indices()) list.push_back(flags(memory.layout(b), memory, b) ? 1 : 0);
  return list;
}

bool others_apart(const System& system, const Flagging& flagging) {
  for (const BlockIndex b : system.blocks.indices())
    if (flagging[b] == 0 && (system.blocks[b].continuous || resets(system, system.blocks[b].guard))) return false;
  return true;
}

} // namespace hilda::run
