// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/sketch/block_marks.h"

#include "engine/run/graph.h"

namespace hilda::graphics::draw {

bool breaks_loops(const SystemBlock& block) {
  bool inputs = false, feeds = false, outputs = false, follows = false;
  for (const Slot& slot : block.type->slots) {
    if (slot.role == HILDA_INPUT) inputs = true, feeds = feeds || feeds_through(block, slot);
    if (slot.role == HILDA_OUTPUT) outputs = true, follows = follows || !from_state(block, slot);
  }
  return inputs && outputs && (!feeds || !follows);
}

void mark_states(const SystemBlock& block, Symbol& symbol) {
  for (const Slot& slot : block.type->slots) {
    if (slot.role != HILDA_STATE) continue;
    (slot.is(HILDA_CONTINUOUS) ? symbol.continuous_state : symbol.discrete_state) = true;
  }
}

std::string sum_signs(const SystemBlock& block) {
  for (const ParameterValue& each : block.parameters)
    if (block.type->slots[each.slot].name == "signs") return each.value.text;
  return {};
}

} // namespace hilda::graphics::draw
