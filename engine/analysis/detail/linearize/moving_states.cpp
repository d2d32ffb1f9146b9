// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/moving_states.h"

#include <algorithm>
#include <cstring>

namespace hilda::analysis {
namespace {

struct HeldState {
  std::string name;
  const std::byte* data = nullptr;
  std::vector<std::byte> before;
};

std::vector<HeldState> held_states(Runtime& runtime, const Indexed<BlockIndex, bool>& blocks) {
  std::vector<HeldState> all;
  for (const BlockIndex b : runtime.system().blocks.indices()) {
    if (!blocks[b]) continue;
    const BlockType& layout = runtime.memory().layout(b);
    for (const SlotIndex s : layout.slots.indices()) {
      const Slot& slot = layout.slots[s];
      if (slot.role != HILDA_STATE || (slot.element != HILDA_I64 && slot.element != HILDA_U8) || slot.is(HILDA_RNG) ||
          slot.is(HILDA_MODE))
        continue;
      const Span span = runtime.memory().span(b, s);
      const auto* data = static_cast<const std::byte*>(span.data);
      all.push_back({runtime.system().blocks[b].path + "." + slot.name, data, {data, data + span.bytes()}});
    }
  }
  return all;
}

void run_on(Runtime& runtime, std::int64_t ticks) {
  for (std::int64_t k = 0; k < ticks; ++k)
    if (!runtime.step()) return;
}

/// Which of these so many ticks change.
std::vector<bool> changed_by(Runtime& runtime, std::vector<HeldState>& held, std::int64_t ticks) {
  for (HeldState& each : held) each.before.assign(each.data, each.data + each.before.size());
  run_on(runtime, ticks);
  std::vector<bool> changed;
  for (const HeldState& each : held)
    changed.push_back(!each.before.empty() && std::memcmp(each.data, each.before.data(), each.before.size()) != 0);
  return changed;
}

} // namespace

MovingStates moving_states(Runtime& runtime, const Indexed<BlockIndex, bool>& blocks, std::int64_t ticks) {
  constexpr std::int64_t patience = 50000; // ticks: the longest line that may fill
  std::vector<HeldState> held = held_states(runtime, blocks);
  const std::vector<bool> now = changed_by(runtime, held, ticks);
  if (std::find(now.begin(), now.end(), true) == now.end()) return {};
  run_on(runtime, patience);
  const std::int64_t before = runtime.tick();
  const std::vector<bool> later = changed_by(runtime, held, ticks);
  const bool ran = runtime.tick() > before; // the run may have ended on the way
  MovingStates moving;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (now[i]) (ran && later[i] ? moving.for_ever : moving.for_now).push_back(held[i].name);
  return moving;
}

} // namespace hilda::analysis
