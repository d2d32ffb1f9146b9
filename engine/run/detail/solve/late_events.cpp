// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/late_events.h"

#include "engine/base/fnv.h"

#include <algorithm>
#include <cstring>

namespace hilda::run {
namespace {

constexpr int most_measured = 1000;   ///< of one block: the others are counted alone
constexpr double soon = 1e-6;         ///< of a step: what has changed by then and again later moves and does not jump
constexpr double worth_a_word = 1e-6; ///< of a step: an event so soon before its tick is at the tick
constexpr int some_halvings = 30, many_halvings = 50;
constexpr int between_insides = 61; ///< ticks; what turns back and forth repeats itself after a few
constexpr double instant = 1e-3;    ///< of a step: a mode that is left by then is one of an instant

bool is_any_state(const Slot& slot) { return slot.role == HILDA_STATE; }
bool is_mode(const Slot& slot) { return is_any_state(slot) && slot.is(HILDA_MODE); }

void call_outputs(const hilda_block_type& type, void* record, const hilda_tick& tick) {
  if (type.state_output != nullptr) type.state_output(record, &tick);
  if (type.output != nullptr) type.output(record, &tick);
}

/// A tick of a block, instead of the minor step that runs.
hilda_tick tick_at(hilda_tick minor, const hilda_tick& base, std::int64_t divider, double time) {
  minor.minor = 0;
  minor.time = time;
  minor.index = base.index / divider;
  minor.period = base.period * static_cast<double>(divider);
  return minor;
}

std::uint64_t digest(const std::vector<Span>& spans) {
  Fnv made;
  for (const Span& span : spans) span.pieces([&](const void* data, std::size_t count) { made.bytes(data, count); });
  return made.value();
}

} // namespace

void LateEvents::Copy::add(const Span& span) {
  spans.push_back(span);
  bytes.resize(bytes.size() + span.bytes());
}

void LateEvents::Copy::take() noexcept {
  unsigned char* to = bytes.data();
  for (const Span& span : spans)
    span.pieces([&](const void* data, std::size_t count) { std::memcpy(to, data, count), to += count; });
}

void LateEvents::Copy::put() const noexcept {
  const unsigned char* from = bytes.data();
  for (const Span& span : spans)
    span.pieces([&](void* data, std::size_t count) { std::memcpy(data, from, count), from += count; });
}

bool LateEvents::Copy::same() const noexcept {
  const unsigned char* at = bytes.data();
  bool same = true;
  for (const Span& span : spans)
    span.pieces([&](const void* data, std::size_t count) {
      same = same && std::memcmp(data, at, count) == 0;
      at += count;
    });
  return same;
}

LateEvents::LateEvents(const std::vector<TickEvent>& events, const System& system, const Memory& memory,
                       const GuardStates& guards, ContinuousPart& part, FixedStep& method)
    : guards_(guards), part_(part), method_(method), x0_(part.size()), x1_(part.size()), slope_(part.size()) {
  trial_.size = sizeof trial_;
  for (const TickEvent& event : events) {
    Watched watched;
    watched.event = event;
    if (event.kind == TickEvent::Kind::condition)
      watch_conditions(watched, system, memory);
    else
      watch_block(watched, system, memory);
    watched_.push_back(std::move(watched));
  }
}

void LateEvents::watch_conditions(Watched& watched, const System& system, const Memory& memory) const {
  const Guard& guard = system.guards[watched.event.guard];
  watched.under = guard.parent;
  for (const PortRef* port : {guard.has_enable ? &guard.signal : nullptr, guard.has_reset ? &guard.reset : nullptr})
    if (port != nullptr && system.blocks[port->block].continuous)
      watched.seen.add(memory.span(port->block, port->slot, port->item));
}

void LateEvents::watch_block(Watched& watched, const System& system, const Memory& memory) const {
  const BlockIndex b = watched.event.block;
  const SystemBlock& block = system.blocks[b];
  const BlockType& layout = memory.layout(b);
  watched.type = layout.abi;
  watched.record = memory.record(b);
  watched.under = block.guard;
  watched.divider = block.continuous ? 1 : block.divider;
  const bool resets = watched.event.kind == TickEvent::Kind::resets;
  for (const SlotIndex slot : layout.slots.indices()) {
    if (!is_any_state(layout.slots[slot])) continue;
    watched.states.add(memory.span(b, slot));
    if (resets && layout.slots[slot].is(HILDA_CONTINUOUS)) watched.seen.add(memory.span(b, slot));
    if (watched.event.kind == TickEvent::Kind::modes && is_mode(layout.slots[slot]))
      watched.seen.add(memory.span(b, slot));
  }
  if (resets || watched.event.kind == TickEvent::Kind::modes) return;
  for (const SystemBlock::Port& port : block.ports)
    if (layout.slots[port.slot].role == HILDA_OUTPUT) watched.seen.add(memory.span(b, port.slot, port.item));
}

std::vector<LateEvents::Found> LateEvents::found() const {
  std::vector<Found> happened;
  for (const Watched& each : watched_)
    if (each.found.count > 0) happened.push_back({each.event, each.found.count, each.found.latest});
  return happened;
}

bool LateEvents::any() const noexcept {
  return std::any_of(watched_.begin(), watched_.end(), [](const Watched& each) { return each.found.count > 0; });
}

std::vector<LateCount> LateEvents::counts() const {
  std::vector<LateCount> counts;
  for (const Watched& each : watched_) counts.push_back(each.found);
  return counts;
}

void LateEvents::count_from(const std::vector<LateCount>& counts) {
  for (std::size_t i = 0; i < watched_.size(); ++i) watched_[i].found = counts.empty() ? LateCount() : counts[i];
}

void LateEvents::begin() noexcept {
  part_.get_state(x0_);
  for (Watched& each : watched_) {
    if (each.event.kind == TickEvent::Kind::modes)
      note_mode(each);
    else if (each.event.kind != TickEvent::Kind::resets)
      each.seen.take();
  }
}

/// The mode in which the step begins, as its event would choose it.
void LateEvents::note_mode(Watched& watched) noexcept {
  watched.states.take();
  try {
    watched.type->event(watched.record, &part_.tick(), nullptr, 0);
    watched.seen.take();
  } catch (...) { // it says nothing of the run
    part_.running().store(nullptr, std::memory_order_relaxed);
  }
  watched.states.put();
}

void LateEvents::look(const hilda_tick& now, std::int64_t tick, double h) noexcept {
  part_.get_state(x1_);
  now_ = now;
  part_.enter(now, &trial_, false);
  try {
    for (Watched& each : watched_) {
      if (tick % each.divider == 0) each.found.pending = false;
      if (!each.found.pending && guards_.active(each.under)) look_at(each, tick, h);
    }
  } catch (...) { // at times that were only tried it says nothing of the run
    part_.running().store(nullptr, std::memory_order_relaxed);
    part_.put_state(x1_);
  }
  trial_.verdict = HILDA_GO;
}

/// Is it in this step, and when?
void LateEvents::look_at(Watched& watched, std::int64_t tick, double h) {
  if (!happened(watched, now_.time + h)) {
    if (watched.event.kind == TickEvent::Kind::modes && tick % between_insides == 0) look_inside(watched, h);
    return;
  }
  watched.found.pending = true;
  const std::int64_t waits = watched.divider - 1 - tick % watched.divider; // whole ticks beyond this step's end
  if (watched.found.measured == most_measured) {
    watched.found.count += watched.found.count > 0 ? 1 : 0;
    return;
  }
  ++watched.found.measured;
  if (watched.event.kind == TickEvent::Kind::modes) return look_for_instant(watched, h);
  const double begin = now_.time, end = begin + h;
  const auto outputs_of = [&](double time) {
    happened_by(watched, time);
    call_outputs(*watched.type, watched.record, tick_at(part_.tick(), now_, watched.divider, time));
    const std::uint64_t made = digest(watched.seen.spans);
    watched.seen.put();
    return made;
  };
  const bool moves = watched.event.kind == TickEvent::Kind::switches && happened_by(watched, begin + soon * h) &&
                     outputs_of(begin + soon * h) != outputs_of(end);
  const double late = moves ? 0 : end - event_time(watched, h, some_halvings) + static_cast<double>(waits) * h;
  part_.put_state(x1_);
  part_.outputs_at(end);
  if (!(late > worth_a_word * h)) return;
  ++watched.found.count;
  watched.found.latest = std::max(watched.found.latest, late);
}

/// What rests with located events may turn back and forth within each step, and have one mode at all ticks. A step of
/// the method is not where it would turn, for it has turned in its stages: the slope at the step's begin leads there.
void LateEvents::look_inside(Watched& watched, double h) {
  part_.put_state(x0_);
  part_.outputs_at(now_.time);
  part_.derivatives(slope_);
  const std::uint64_t mode = mode_ahead(watched, 0);
  if (mode_ahead(watched, h) != mode) {
    double low = 0, high = h;
    for (int i = 0; i < many_halvings; ++i) {
      const double middle = low + (high - low) / 2;
      (mode_ahead(watched, middle) != mode ? high : low) = middle;
    }
    const bool stops = mode_ahead(watched, high) != mode_ahead(watched, high + instant * h);
    watched.found.count += stops ? 1 : 0;
    if (stops) watched.found.latest = std::max(watched.found.latest, h - high);
  }
  part_.put_state(x1_);
  part_.outputs_at(now_.time + h);
}

/// The mode after this time along the slope.
std::uint64_t LateEvents::mode_ahead(Watched& watched, double after) {
  part_.put_state(x0_, slope_, after);
  part_.outputs_at(now_.time + after);
  return mode_at(watched, now_.time + after);
}

/// Was there a mode between those of the step's begin and end, and not longer than an instant?
void LateEvents::look_for_instant(Watched& watched, double h) {
  const double end = now_.time + h, time = event_time(watched, h, many_halvings);
  const std::uint64_t there = mode_by(watched, time), soon_after = mode_by(watched, time + instant * h);
  part_.put_state(x1_);
  part_.outputs_at(end);
  if (there == soon_after) return;
  ++watched.found.count;
  watched.found.latest = std::max(watched.found.latest, end - time);
}

std::uint64_t LateEvents::mode_by(Watched& watched, double time) {
  method_.carry(x0_, now_.time, time - now_.time);
  return mode_at(watched, time);
}

/// As the event would choose it of states and outputs as they are.
std::uint64_t LateEvents::mode_at(Watched& watched, double time) {
  const hilda_tick tick = tick_at(part_.tick(), now_, watched.divider, time);
  watched.states.take();
  watched.type->event(watched.record, &tick, nullptr, 0);
  const std::uint64_t mode = digest(watched.seen.spans);
  watched.states.put();
  return mode;
}

/// The first time in the step at which it has happened.
double LateEvents::event_time(Watched& watched, double h, int halvings) {
  double low = now_.time, high = now_.time + h;
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    (happened_by(watched, middle) ? high : low) = middle;
  }
  return high;
}

bool LateEvents::happened_by(Watched& watched, double time) {
  method_.carry(x0_, now_.time, time - now_.time);
  return happened(watched, time);
}

/// Would a tick at this time, of states and outputs as they are, find it?
bool LateEvents::happened(Watched& watched, double time) {
  const hilda_tick tick = tick_at(part_.tick(), now_, watched.divider, time);
  switch (watched.event.kind) {
  case TickEvent::Kind::condition: break;
  case TickEvent::Kind::resets: {
    watched.states.take();
    watched.seen.take();
    watched.type->update(watched.record, &tick);
    const bool set = !watched.seen.same();
    watched.states.put();
    return set;
  }
  case TickEvent::Kind::modes: {
    watched.states.take();
    watched.type->event(watched.record, &tick, nullptr, 0);
    const bool changed = !watched.seen.same();
    watched.states.put();
    return changed;
  }
  case TickEvent::Kind::switches: {
    call_outputs(*watched.type, watched.record, tick);
    const bool switched = !watched.seen.same();
    watched.seen.put();
    return switched;
  }
  }
  return !watched.seen.same();
}

} // namespace hilda::run
