// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/checkpoint.h"

#include "engine/catalogue/past.h"
#include "engine/run/detail/loop/external_state.h"
#include "engine/run/runtime.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hilda::run {

namespace {

/// Both directions walk over the same pieces in the same order.
template <typename Piece> void walk(const Runtime& runtime, const Memory& memory, Piece&& piece) {
  const System& system = runtime.system();
  for (const BlockIndex block : system.blocks.indices()) {
    const BlockType& layout = memory.layout(block);
    for (const SlotIndex s : layout.slots.indices()) {
      if (layout.slots[s].role != HILDA_STATE) continue;
      memory.span(block, s).pieces(piece);
      if (layout.slots[s].is(HILDA_RING))
        piece(&const_cast<hilda_ring*>(memory.ring(block, s))->head, sizeof(std::int64_t));
    }
    for (const SystemBlock::Port& port : system.blocks[block].ports) {
      if (layout.slots[port.slot].role != HILDA_OUTPUT) continue;
      const Span span = memory.span(block, port.slot, port.item);
      piece(span.data, span.bytes());
    }
  }
}

/// A head outside of its line would be read next to it.
bool lines_begin_within(const System& system, const Memory& memory) {
  for (const BlockIndex block : system.blocks.indices())
    for (const SlotIndex s : memory.layout(block).slots.indices()) {
      if (!memory.layout(block).slots[s].is(HILDA_RING)) continue;
      hilda_ring& ring = const_cast<hilda_ring&>(*memory.ring(block, s));
      if (ring.head >= 0 && (ring.head < ring.capacity || ring.head == 0)) continue;
      ring.head = 0;
      return false;
    }
  return true;
}

/// Delay lines are not looked at in the loop: what waits in one comes out without a mark of the processor.
bool lines_are_finite(const System& system, const Memory& memory) {
  for (const BlockIndex block : system.blocks.indices())
    for (const SlotIndex s : memory.layout(block).slots.indices()) {
      if (!memory.layout(block).slots[s].is(HILDA_RING)) continue;
      const Span span = memory.span(block, s);
      const auto* first = static_cast<const double*>(span.data);
      if (!std::all_of(first, first + span.count, [](double value) { return std::isfinite(value); })) return false;
    }
  return true;
}

/// Eight bytes at a time. Each step maps sums one to one, so two texts of one length that differ in one word end in
/// different sums.
class Sum {
public:
  void add(std::uint64_t word) {
    sum_ = (sum_ ^ word) * 0x9e3779b97f4a7c15u;
    sum_ ^= sum_ >> 32;
  }
  void add(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    for (; bytes >= sizeof(std::uint64_t); bytes -= sizeof(std::uint64_t), from += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, from, sizeof word);
      add(word);
    }
    std::uint64_t rest = bytes;
    for (std::size_t i = 0; i < bytes; ++i) rest = rest << 8 | from[i];
    add(rest);
  }
  void add(const std::string& text) {
    add(text.size());
    add(text.data(), text.size());
  }
  std::uint64_t value() const { return sum_; }

private:
  std::uint64_t sum_ = 0x243f6a8885a308d3u;
};

} // namespace

std::uint64_t Checkpoint::sum() const {
  Sum sum;
  sum.add(static_cast<std::uint64_t>(tick));
  sum.add(diagram);
  sum.add(bytes.size());
  sum.add(bytes.data(), bytes.size());
  return sum.value();
}

std::vector<unsigned char> Checkpoint::packed() const {
  std::vector<unsigned char> all;
  const auto append = [&all](const auto& number) {
    const auto* from = reinterpret_cast<const unsigned char*>(&number);
    all.insert(all.end(), from, from + sizeof number);
  };
  append(tick);
  append(diagram);
  append(checksum);
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

std::optional<Checkpoint> Checkpoint::unpacked(std::string_view packed) {
  Checkpoint c;
  constexpr std::size_t head = sizeof c.tick + sizeof c.diagram + sizeof c.checksum;
  if (packed.size() < head) return std::nullopt;
  std::memcpy(&c.tick, packed.data(), sizeof c.tick);
  std::memcpy(&c.diagram, packed.data() + sizeof c.tick, sizeof c.diagram);
  std::memcpy(&c.checksum, packed.data() + sizeof c.tick + sizeof c.diagram, sizeof c.checksum);
  c.bytes.assign(packed.begin() + head, packed.end());
  return c;
}

std::uint64_t Runtime::fingerprint() const {
  if (fingerprint_ != 0) return fingerprint_;
  Sum sum;
  const auto add = [&sum](const PortRef& ref) {
    for (const int each : {ref.block.signed_number(), ref.slot.signed_number(), ref.item})
      sum.add(static_cast<std::uint64_t>(each));
  };
  for (const BlockIndex b : system_.blocks.indices()) {
    const SystemBlock& block = system_.blocks[b];
    const BlockType& layout = memory_->layout(b);
    sum.add(block.path);
    sum.add(block.type->name);
    sum.add(static_cast<std::uint64_t>(block.divider));
    for (const SlotIndex s : layout.slots.indices()) {
      if (layout.slots[s].role != HILDA_STATE) continue;
      sum.add(layout.slots[s].name);
      sum.add(memory_->span(b, s).bytes());
    }
    for (const SystemBlock::Port& port : block.ports) {
      sum.add(static_cast<std::uint64_t>(port.type.rows));
      sum.add(static_cast<std::uint64_t>(port.type.cols));
    }
  }
  for (const Wire& wire : system_.wires) add(wire.from), add(wire.to);
  fingerprint_ = sum.value();
  return fingerprint_;
}

std::vector<std::string> Runtime::without_checkpoint() const {
  std::vector<std::string> names;
  for (const BlockIndex b : system_.blocks.indices()) {
    const BlockType& layout = memory_->layout(b);
    if ((layout.abi->flags & HILDA_EXTERNAL_STATE) != 0 && external_state(layout) == nullptr)
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
  driven_.walk(append);
  append(guards_.states().data(), guards_.states().size() * sizeof(GuardStates::State));
  append(guards_.pending().data(), guards_.pending().size());
  safety_.save(c.bytes);
  ledger_.save(c.bytes);
  solver_.save(c.bytes);
  for (const BlockIndex b : system_.blocks.indices()) {
    const hilda_state_1* state = external_state(memory_->layout(b));
    if (state == nullptr) continue;
    const std::vector<unsigned char> own = save_external(system_.blocks[b], *state, memory_->record(b));
    const std::uint64_t bytes = own.size();
    append(&bytes, sizeof bytes);
    append(own.data(), own.size());
  }
  c.diagram = fingerprint();
  c.checksum = c.sum();
  return c;
}

std::size_t Runtime::checkpoint_bytes() const {
  std::size_t bytes = guards_.states().size() * sizeof(GuardStates::State) + guards_.pending().size();
  const auto count = [&bytes](const void*, std::size_t more) { bytes += more; };
  walk(*this, *memory_, count);
  driven_.walk(count);
  std::vector<unsigned char> rest;
  safety_.save(rest);
  ledger_.save(rest);
  solver_.save(rest);
  return bytes + rest.size();
}

bool Runtime::restore(const Checkpoint& c) {
  if (c.diagram != fingerprint() || !c.intact() || !fits(c) || !go_back(c)) return false;
  if (!lines_are_finite(system_, *memory_)) watch_.look_at_every_value();
  return true;
}

bool Runtime::fits(const Checkpoint& c) const {
  bool outside = false; // of external states only their blocks know the size
  bool past = false;    // what is remembered of a signal grows with its steps
  for (const BlockIndex b : system_.blocks.indices()) {
    outside = outside || external_state(memory_->layout(b)) != nullptr;
    past = past || (solver_.variable() != nullptr && past_of(memory_->layout(b)).ability != nullptr);
  }
  const std::size_t own = checkpoint_bytes();
  return past || (outside ? c.bytes.size() >= own : c.bytes.size() == own);
}

bool Runtime::go_back(const Checkpoint& c) {
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
  driven_.walk(take);
  whole = lines_begin_within(system_, *memory_) && whole;
  take(guards_.states().data(), guards_.states().size() * sizeof(GuardStates::State));
  take(guards_.pending().data(), guards_.pending().size());
  whole = whole && safety_.load(c.bytes, at) && ledger_.load(c.bytes, at) && solver_.load(c.bytes, at);
  for (const BlockIndex b : system_.blocks.indices()) {
    if (!whole) return false;
    const hilda_state_1* state = external_state(memory_->layout(b));
    if (state == nullptr) continue;
    std::uint64_t bytes = 0;
    take(&bytes, sizeof bytes);
    if (!whole || bytes > c.bytes.size() - at) return false;
    whole = load_external(system_.blocks[b], *state, memory_->record(b), {c.bytes.data() + at, bytes});
    at += bytes;
  }
  if (!whole || at != c.bytes.size()) return false;
  driven_.prepare(system_);
  tick_ = c.tick;
  priming_ = tick_ == 0 || priming();
  control_.verdict = HILDA_GO;
  cause_ = safety_.culprit().valid() ? Cause::limit : safety_.tripped() ? Cause::requested : Cause::none;
  cause_text_ = "a stop was under way";
  cause_block_ = {};
  cause_tick_ = tick_;
  lost_ = false;
  lost_ticks_ = 0;
  modes_ = {};
  watch_.clear();
  return true;
}

} // namespace hilda::run
