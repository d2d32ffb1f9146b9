// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/held_values.h"

#include "engine/catalogue/past.h"
#include "engine/catalogue/time_following.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace hilda::run {
namespace {

std::size_t width(hilda_element element) { return element == HILDA_U8 ? 1 : 8; }

bool within(const void* data, const std::vector<Span>& spans) {
  return std::any_of(spans.begin(), spans.end(), [data](const Span& span) {
    const auto* first = static_cast<const unsigned char*>(span.data);
    return data >= first && data < first + span.bytes();
  });
}

/// Of its type, or as an expression with the time in it.
bool follows_time(const SystemBlock& block, const BlockType& type) {
  return follows_time(type) || std::any_of(block.parameters.begin(), block.parameters.end(), [&](const auto& each) {
           return type.slots[each.slot].is(HILDA_EXPRESSION) && names_time(each.value.text);
         });
}

} // namespace

void HeldValues::add(const void* data, std::size_t bytes, BlockIndex owner, std::int64_t divider) {
  const auto* from = static_cast<const unsigned char*>(data);
  if (from != nullptr)
    for (const Item& item : items_)
      if (item.data == from && item.bytes == bytes) return;
  items_.push_back({.data = from, .bytes = bytes, .copy = copies_.size(), .owner = owner, .divider = divider});
  if (from != nullptr) copies_.insert(copies_.end(), from, from + bytes);
}

void HeldValues::bind(const System& system, const Memory& memory, const Schedule& schedule, const GuardStates& guards) {
  items_.clear(), copies_.clear();
  follows_time_ = false;
  for (const BlockIndex b : system.blocks.indices()) {
    if (!system.blocks[b].continuous) continue;
    follows_time_ = follows_time_ || follows_time(system.blocks[b], memory.layout(b));
    add_inputs(system, memory, schedule, b);
    add_own(memory, b);
    for (GuardIndex g = system.blocks[b].guard; g.valid(); g = system.guards[g].parent) {
      const Guard& guard = system.guards[g];
      if (guard.edge != Guard::Edge::none) continue; // nothing continuous is there
      const BlockIndex owner = guard.has_enable ? guard.signal.block : guard.reset.block;
      add(&guards.states()[g].active, 1, owner, 1);
      if (guard.has_reset) add(&guards.states()[g].resetting, 1, guard.reset.block, 1);
    }
  }
  restless_.assign(items_.size(), 0);
}

void HeldValues::add_inputs(const System& system, const Memory& memory, const Schedule& schedule, BlockIndex block) {
  for (const SystemBlock::Port& port : system.blocks[block].ports) {
    const Slot& slot = memory.layout(block).slots[port.slot];
    if (slot.role == HILDA_OUTPUT && slot.is(HILDA_MEASUREMENT)) {
      const Span span = memory.span(block, port.slot, port.item);
      add(span.data, span.bytes(), block, 1);
    }
    if (slot.role != HILDA_INPUT || !port.wire.valid()) continue;
    const void* source = memory.source(block, port.slot, port.item);
    if (source == nullptr || within(source, schedule.minor_outputs)) continue;
    const BlockIndex from = system.wires[port.wire].from.block;
    const bool gated = slot.is(HILDA_ACTUATION); // the gate before it runs at the reader's rate
    const std::int64_t divider = gated || system.blocks[from].continuous ? 1 : system.blocks[from].divider;
    add(source, port.type.elements() * width(slot.element), from, divider);
  }
}

/// States that the solver does not carry. The content of a line or outside of the engine is not compared: it changes.
void HeldValues::add_own(const Memory& memory, BlockIndex block) {
  const BlockType& layout = memory.layout(block);
  if (past_of(layout).ability != nullptr)
    return; // what it was given is remembered here, and its states are for fixed steps
  bool always = (layout.abi->flags & HILDA_EXTERNAL_STATE) != 0;
  for (const SlotIndex s : layout.slots.indices()) {
    const Slot& slot = layout.slots[s];
    if (slot.role != HILDA_STATE || slot.is(HILDA_CONTINUOUS)) continue;
    if (slot.is(HILDA_RING)) {
      always = always || memory.ring(block, s)->capacity > 0;
      continue;
    }
    const Span span = memory.span(block, s);
    if (span.bytes() > 0) span.pieces([&](const void* data, std::size_t bytes) { add(data, bytes, block, 1); });
  }
  if (always) items_.push_back({.copy = copies_.size(), .owner = block});
}

BlockIndex HeldValues::take(std::int64_t tick) noexcept {
  BlockIndex cause;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (item.divider != 1 && tick % item.divider != 0) continue;
    unsigned char* const copy = copies_.data() + item.copy;
    const bool changed = item.data == nullptr || std::memcmp(item.data, copy, item.bytes) != 0;
    restless_[i] = changed ? 1 : 0;
    if (!changed) continue;
    if (item.data != nullptr) std::memcpy(copy, item.data, item.bytes);
    if (!cause.valid()) cause = item.owner;
  }
  return cause;
}

void HeldValues::note() noexcept {
  for (const Item& item : items_)
    if (item.data != nullptr) std::memcpy(copies_.data() + item.copy, item.data, item.bytes);
}

std::int64_t HeldValues::next_hit(std::int64_t tick, const std::vector<unsigned char>& restless) const noexcept {
  if (follows_time_) return tick + 1;
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (restless[i] != 0) next = std::min(next, (tick / items_[i].divider + 1) * items_[i].divider);
  return next;
}

void HeldValues::keep_still(std::int64_t tick, std::vector<unsigned char>& restless) const noexcept {
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].divider == 1 || tick % items_[i].divider == 0) restless[i] = 0;
}

void HeldValues::save(std::vector<unsigned char>& bytes) const {
  bytes.insert(bytes.end(), copies_.begin(), copies_.end());
  bytes.insert(bytes.end(), restless_.begin(), restless_.end());
}

bool HeldValues::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  for (std::vector<unsigned char>* each : {&copies_, &restless_}) {
    if (each->size() > bytes.size() - at) return false;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), each->size(), each->begin());
    at += each->size();
  }
  return true;
}

} // namespace hilda::run
