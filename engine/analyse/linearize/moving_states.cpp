#include "engine/analyse/linearize/moving_states.h"

#include <cstring>

namespace hilda {
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

} // namespace

std::vector<std::string> moving_states(Runtime& runtime, const Indexed<BlockIndex, bool>& blocks, std::int64_t ticks) {
  const std::vector<HeldState> held = held_states(runtime, blocks);
  for (std::int64_t k = 0; k < ticks; ++k)
    if (!runtime.step()) break;
  std::vector<std::string> moving;
  for (const HeldState& each : held)
    if (!each.before.empty() && std::memcmp(each.data, each.before.data(), each.before.size()) != 0)
      moving.push_back(each.name);
  return moving;
}

} // namespace hilda
