#include "engine/schedule/guards.h"

#include <cstring>

namespace hilda {

void GuardStates::bind(const System& system, const Plan&, const Memory& memory,
                       const std::vector<hilda_instance>& instances) {
  memory_ = &memory;
  instances_ = &instances;
  wirings_.assign(system.guards.size(), {});
  states_.assign(system.guards.size(), {});
  members_.assign(system.blocks.size(), {});
  prime_pending_.assign(system.blocks.size(), 1);
  const auto boolean = [&](const PortRef& port) {
    return static_cast<const std::uint8_t*>(memory.span(port.block, port.slot, port.item).data);
  };
  for (std::size_t g = 0; g < system.guards.size(); ++g) {
    const Guard& guard = system.guards[g];
    Wiring& w = wirings_[g];
    w.parent = guard.parent;
    if (guard.has_enable) w.enable = boolean(guard.signal);
    if (guard.has_reset) w.reset = boolean(guard.reset);
    w.reset_outputs =
        guard.reset_outputs || (guard.parent >= 0 && wirings_[static_cast<std::size_t>(guard.parent)].reset_outputs);
  }
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    const int block = static_cast<int>(b);
    Member& m = members_[b];
    m.block = block;
    const BlockType& layout = memory.layout(block);
    for (std::size_t s = 0; s < layout.slots.size(); ++s) {
      if (layout.slots[s].role != HILDA_STATE) continue;
      m.states.push_back(memory.span(block, static_cast<int>(s)));
      if (layout.slots[s].is(HILDA_RING))
        m.rings.push_back(const_cast<hilda_ring*>(memory.ring(block, static_cast<int>(s))));
    }
    const int guard = system.blocks[b].guard;
    if (guard < 0) continue;
    for (const SystemBlock::Port& port : system.blocks[b].ports)
      if (layout.slots[static_cast<std::size_t>(port.slot)].role == HILDA_OUTPUT)
        m.outputs.push_back(memory.span(block, port.slot, port.item));
    wirings_[static_cast<std::size_t>(guard)].members.push_back(block);
  }
}

void GuardStates::initialize(int block, const hilda_instance* self) {
  const Member& m = members_[static_cast<std::size_t>(block)];
  for (const Span& span : m.states) std::memset(span.data, 0, span.bytes());
  for (hilda_ring* ring : m.rings) ring->head = 0;
  const hilda_block_type& type = *memory_->layout(block).abi;
  if (type.initialize != nullptr) {
    initializing_.store(block, std::memory_order_relaxed);
    type.initialize(memory_->record(block), self != nullptr ? self : &(*instances_)[static_cast<std::size_t>(block)]);
    initializing_.store(-1, std::memory_order_relaxed);
  }
  prime_pending_[static_cast<std::size_t>(block)] = 1;
}

void GuardStates::evaluate(int guard) {
  const Wiring& w = wirings_[static_cast<std::size_t>(guard)];
  State& s = states_[static_cast<std::size_t>(guard)];
  const bool was_active = s.active != 0;
  const State above = w.parent >= 0 ? states_[static_cast<std::size_t>(w.parent)] : State{};
  s.active = static_cast<std::uint8_t>(above.active != 0 && (w.enable == nullptr || *w.enable != 0));
  s.resetting = static_cast<std::uint8_t>(above.resetting != 0 || (w.reset != nullptr && *w.reset != 0));
  if (s.resetting != 0)
    for (const int block : w.members) initialize(block);
  if (was_active && s.active == 0 && w.reset_outputs)
    for (const int block : w.members)
      for (const Span& span : members_[static_cast<std::size_t>(block)].outputs)
        std::memset(span.data, 0, span.bytes());
}

} // namespace hilda
