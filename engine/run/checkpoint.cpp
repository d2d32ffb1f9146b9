#include "engine/run/checkpoint.h"

#include "engine/run/runtime.h"

#include <cstring>

namespace hilda {

namespace {

/// Both directions walk over the same pieces in the same order.
template <typename Piece> void walk(const Runtime& runtime, const Memory& memory, Piece&& piece) {
  const System& system = runtime.system();
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    const int block = static_cast<int>(b);
    const BlockType& layout = memory.layout(block);
    for (std::size_t s = 0; s < layout.slots.size(); ++s) {
      if (layout.slots[s].role != HILDA_STATE) continue;
      const Span span = memory.span(block, static_cast<int>(s));
      piece(span.data, span.bytes());
      if (layout.slots[s].is(HILDA_RING))
        piece(&const_cast<hilda_ring*>(memory.ring(block, static_cast<int>(s)))->head, sizeof(std::int64_t));
    }
    for (const SystemBlock::Port& port : system.blocks[b].ports) {
      if (layout.slots[static_cast<std::size_t>(port.slot)].role != HILDA_OUTPUT) continue;
      const Span span = memory.span(block, port.slot, port.item);
      piece(span.data, span.bytes());
    }
  }
}

const hilda_state_1* external(const BlockType& type) {
  if ((type.abi->flags & HILDA_EXTERNAL_STATE) == 0 || type.abi->extension == nullptr) return nullptr;
  return static_cast<const hilda_state_1*>(type.abi->extension("hilda.state/1"));
}

} // namespace

std::vector<std::string> Runtime::without_checkpoint() const {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < system_.blocks.size(); ++b) {
    const BlockType& layout = memory_->layout(static_cast<int>(b));
    if ((layout.abi->flags & HILDA_EXTERNAL_STATE) != 0 && external(layout) == nullptr)
      names.push_back(system_.blocks[b].path);
  }
  return names;
}

Checkpoint Runtime::checkpoint() const {
  Checkpoint c;
  c.tick = tick_;
  const auto append = [&c](const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    c.bytes.insert(c.bytes.end(), from, from + bytes);
  };
  walk(*this, *memory_, append);
  append(guards_.states().data(), guards_.states().size() * sizeof(GuardStates::State));
  append(guards_.pending().data(), guards_.pending().size());
  safety_.save(c.bytes);
  ledger_.save(c.bytes);
  for (std::size_t b = 0; b < system_.blocks.size(); ++b) {
    const hilda_state_1* state = external(memory_->layout(static_cast<int>(b)));
    if (state == nullptr) continue;
    const std::uint64_t bytes = state->save(memory_->record(static_cast<int>(b)), nullptr, 0);
    append(&bytes, sizeof bytes);
    const std::size_t at = c.bytes.size();
    c.bytes.resize(at + bytes);
    state->save(memory_->record(static_cast<int>(b)), c.bytes.data() + at, bytes);
  }
  return c;
}

std::size_t Runtime::checkpoint_bytes() const {
  std::size_t bytes = guards_.states().size() * sizeof(GuardStates::State) + guards_.pending().size();
  walk(*this, *memory_, [&bytes](const void*, std::size_t more) { bytes += more; });
  std::vector<unsigned char> rest;
  safety_.save(rest);
  ledger_.save(rest);
  return bytes + rest.size();
}

bool Runtime::restore(const Checkpoint& c) {
  const std::size_t own = checkpoint_bytes();
  bool outside = false; // of external states only their blocks know the size
  for (std::size_t b = 0; b < system_.blocks.size(); ++b)
    outside = outside || external(memory_->layout(static_cast<int>(b))) != nullptr;
  if (outside ? c.bytes.size() < own : c.bytes.size() != own) return false;
  std::size_t at = 0;
  bool whole = true;
  const auto take = [&](void* data, std::size_t bytes) {
    if (!whole || bytes > c.bytes.size() - at) {
      whole = false;
      return;
    }
    if (bytes > 0) std::memcpy(data, c.bytes.data() + at, bytes);
    at += bytes;
  };
  walk(*this, *memory_, take);
  take(guards_.states().data(), guards_.states().size() * sizeof(GuardStates::State));
  take(guards_.pending().data(), guards_.pending().size());
  whole = whole && safety_.load(c.bytes, at) && ledger_.load(c.bytes, at);
  for (std::size_t b = 0; whole && b < system_.blocks.size(); ++b) {
    const hilda_state_1* state = external(memory_->layout(static_cast<int>(b)));
    if (state == nullptr) continue;
    std::uint64_t bytes = 0;
    take(&bytes, sizeof bytes);
    if (!whole || bytes > c.bytes.size() - at) return false;
    whole = state->load(memory_->record(static_cast<int>(b)), c.bytes.data() + at, bytes) == 0;
    at += bytes;
  }
  if (!whole || at != c.bytes.size()) return false;
  tick_ = c.tick;
  control_.verdict = HILDA_GO;
  cause_ = safety_.culprit() >= 0 ? Cause::limit : safety_.tripped() ? Cause::requested : Cause::none;
  cause_text_ = "a stop was under way";
  cause_block_ = -1;
  cause_tick_ = tick_;
  lost_ = false;
  lost_ticks_ = 0;
  watch_.clear();
  return true;
}

} // namespace hilda
