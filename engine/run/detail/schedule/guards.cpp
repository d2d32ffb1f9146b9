// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/schedule/guards.h"

#include <cstring>

namespace hilda::run {

void GuardStates::bind(const System& system, const Plan&, const Memory& memory,
                       const Indexed<BlockIndex, hilda_instance>& instances, ModeWitness& modes) {
  memory_ = &memory;
  modes_ = &modes;
  instances_ = &instances;
  wirings_.assign(system.guards.size(), {});
  states_.assign(system.guards.size(), {});
  members_.assign(system.blocks.size(), {});
  prime_pending_.assign(system.blocks.size(), 1);
  const auto boolean = [&](const PortRef& port) {
    return static_cast<const std::uint8_t*>(memory.span(port.block, port.slot, port.item).data);
  };
  for (const GuardIndex g : system.guards.indices()) {
    const Guard& guard = system.guards[g];
    Wiring& w = wirings_[g];
    w.parent = guard.parent;
    if (guard.has_enable) w.enable = boolean(guard.signal);
    if (guard.has_reset) w.reset = boolean(guard.reset);
    if (guard.edge != Guard::Edge::none) w.trigger = boolean(guard.trigger);
    w.rising = guard.edge == Guard::Edge::rising || guard.edge == Guard::Edge::either;
    w.falling = guard.edge == Guard::Edge::falling || guard.edge == Guard::Edge::either;
    w.reset_outputs = guard.reset_outputs;
    w.zeroed_from_above =
        w.parent.valid() && (wirings_[w.parent].reset_outputs || wirings_[w.parent].zeroed_from_above);
  }
  for (const BlockIndex block : system.blocks.indices()) {
    Member& m = members_[block];
    m.block = block;
    const BlockType& layout = memory.layout(block);
    for (const SlotIndex s : layout.slots.indices()) {
      if (layout.slots[s].role != HILDA_STATE) continue;
      m.states.push_back(memory.span(block, s));
      if (layout.slots[s].is(HILDA_RING)) m.rings.push_back(const_cast<hilda_ring*>(memory.ring(block, s)));
    }
    const GuardIndex guard = system.blocks[block].guard;
    if (!guard.valid()) continue;
    for (const SystemBlock::Port& port : system.blocks[block].ports)
      if (layout.slots[port.slot].role == HILDA_OUTPUT) m.outputs.push_back(memory.span(block, port.slot, port.item));
    wirings_[guard].members.push_back(block);
  }
}

void GuardStates::initialize(BlockIndex block, const hilda_instance* self) {
  const Member& m = members_[block];
  for (const Span& span : m.states) span.pieces([](void* data, std::size_t bytes) { std::memset(data, 0, bytes); });
  for (hilda_ring* ring : m.rings) ring->head = 0;
  const hilda_block_type& type = *memory_->layout(block).abi;
  if (type.initialize != nullptr) {
    initializing_.store(block, std::memory_order_relaxed);
    const auto start = [&](const hilda_instance* as) { type.initialize(memory_->record(block), as); };
    if (self != nullptr)
      start(self); // before tick 0: anyone who reports looks at the mode, too
    else
      modes_->watch(block, "initialize", [&] { start(&(*instances_)[block]); });
    initializing_.store({}, std::memory_order_relaxed);
  }
  prime_pending_[block] = 1;
}

/// One that is true at the start has not become so.
bool GuardStates::Wiring::fires(State& state) const noexcept {
  if (trigger == nullptr) return true;
  const std::uint8_t before = state.trigger, now = *trigger != 0 ? 1 : 0;
  state.trigger = now;
  return before != State::unknown && before != now && (now != 0 ? rising : falling);
}

void GuardStates::evaluate(GuardIndex guard) {
  const Wiring& w = wirings_[guard];
  State& s = states_[guard];
  const bool was_active = s.active != 0;
  const bool fired = w.fires(s);
  s.active = static_cast<std::uint8_t>(fired && w.enabled(above(w)));
  s.resetting = static_cast<std::uint8_t>(w.resets(above(w)));
  if (s.resetting != 0)
    for (const BlockIndex block : w.members) initialize(block);
  if (s.active != 0) return;
  // what a condition within holds is zeroed when one around it becomes false, also later
  if ((was_active && w.reset_outputs) || (w.zeroed_from_above && zeroes(w.parent)))
    for (const BlockIndex block : w.members)
      for (const Span& span : members_[block].outputs) std::memset(span.data, 0, span.bytes());
}

bool GuardStates::evaluate_changed(GuardIndex guard) {
  const Wiring& w = wirings_[guard];
  const State was = states_[guard];
  const bool resets = w.resets(above(w));
  if ((was.active != 0) == w.enabled(above(w)) && (was.resetting != 0) == resets) return false;
  evaluate(guard);
  if (!resets && was.resetting != 0)
    for (const BlockIndex block : w.members) initialize(block);
  return true;
}

/// Is this condition, or one around it, false and zeroes outputs?
bool GuardStates::zeroes(GuardIndex guard) const noexcept {
  for (; guard.valid(); guard = wirings_[guard].parent)
    if (states_[guard].active == 0 && wirings_[guard].reset_outputs) return true;
  return false;
}

} // namespace hilda::run
