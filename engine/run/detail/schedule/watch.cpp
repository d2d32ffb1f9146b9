// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/schedule/watch.h"

#include <algorithm>
#include <cmath>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hilda::run {

namespace {

constexpr std::size_t slice = 64; // doubles

/// Collects whether any number that it is shown is NaN, or with `infinities` not finite, two pairs or two numbers at a
/// time: an unordered pair has at least one, and x - x is a number for finite x alone.
template <bool infinities> class Seen {
public:
#if defined(__SSE2__)
  void four(const double* x) noexcept { look(_mm_loadu_pd(x), _mm_loadu_pd(x + 2)); }
  void three(const double* x) noexcept { look(_mm_loadu_pd(x), _mm_loadu_pd(x + 1)); }
  void twos(const double* x, const double* y) noexcept { look(_mm_loadu_pd(x), _mm_loadu_pd(y)); }
  void two(const double* x) noexcept { twos(x, x); }
  void pair(const double* x, const double* y) noexcept { look(_mm_load_sd(x), _mm_load_sd(y)); }
  bool found() const noexcept { return _mm_movemask_pd(mask_) != 0; }

private:
  void look(__m128d a, __m128d b) noexcept {
    if constexpr (infinities) a = _mm_sub_pd(a, a), b = _mm_sub_pd(b, b);
    mask_ = _mm_or_pd(mask_, _mm_cmpunord_pd(a, b));
  }
  __m128d mask_ = _mm_setzero_pd();
#else
  void four(const double* x) noexcept { two(x), two(x + 2); }
  void three(const double* x) noexcept { pair(x, x + 1), pair(x + 2, x + 2); }
  void twos(const double* x, const double* y) noexcept { two(x), two(y); }
  void two(const double* x) noexcept { pair(x, x + 1); }
  void pair(const double* x, const double* y) noexcept {
    const double a = infinities ? *x - *x : *x, b = infinities ? *y - *y : *y;
    bad_ |= static_cast<unsigned>(std::isunordered(a, b));
  }
  bool found() const noexcept { return bad_ != 0; }

private:
  unsigned bad_ = 0;
#endif
};

template <bool infinities> void look(Seen<infinities>& seen, const double* x, std::size_t count) noexcept {
  for (; count >= 4; count -= 4, x += 4) seen.four(x);
  for (; count > 0; --count, ++x) seen.pair(x, x);
}

/// One double in each of `count` records.
template <bool infinities>
void look_apart(Seen<infinities>& seen, const char* at, std::size_t stride, std::size_t count) noexcept {
  const auto value = [](const char* p) { return reinterpret_cast<const double*>(p); };
  for (; count >= 2; count -= 2, at += 2 * stride) seen.pair(value(at), value(at + stride));
  if (count == 1) seen.pair(value(at), value(at));
}

/// The same two in each.
template <bool infinities>
void look_at_twos(Seen<infinities>& seen, const char* at, std::size_t stride, std::size_t count) noexcept {
  const auto two = [](const char* p) { return reinterpret_cast<const double*>(p); };
  for (; count >= 2; count -= 2, at += 2 * stride) seen.twos(two(at), two(at + stride));
  if (count == 1) seen.two(two(at));
}

/// The same four or more in each, some of the last four perhaps twice.
template <bool infinities>
void look_at_many(Seen<infinities>& seen, const char* at, std::size_t stride, std::size_t count,
                  std::size_t width) noexcept {
  for (; count > 0; --count, at += stride) {
    const auto* x = reinterpret_cast<const double*>(at);
    for (const double* last = x + width - 4; x < last; x += 4) seen.four(x);
    seen.four(reinterpret_cast<const double*>(at) + width - 4);
  }
}

/// The same three in each, the middle one twice.
template <bool infinities>
void look_at_threes(Seen<infinities>& seen, const char* at, std::size_t stride, std::size_t count) noexcept {
  for (; count > 0; --count, at += stride) seen.three(reinterpret_cast<const double*>(at));
}

const char* bytes(const double* x) { return reinterpret_cast<const char*>(x); }

} // namespace

void Watch::list_outputs(const SystemBlock& block, BlockIndex b, const Memory& memory, std::vector<Place>& places) {
  for (const SystemBlock::Port& port : block.ports) {
    const Slot& slot = memory.layout(b).slots[port.slot];
    if (slot.role != HILDA_OUTPUT || slot.element != HILDA_F64) continue;
    const Span span = memory.span(b, port.slot, port.item);
    places.push_back({.data = static_cast<const double*>(span.data),
                      .count = span.count,
                      .block = b,
                      .slot = port.slot,
                      .item = port.item});
  }
}

void Watch::list_states(BlockIndex b, const Memory& memory, std::vector<Place>& places) {
  const BlockType& layout = memory.layout(b);
  for (const SlotIndex s : layout.slots.indices()) {
    const Slot& slot = layout.slots[s];
    if (slot.role != HILDA_STATE || slot.element != HILDA_F64 || slot.is(HILDA_RING))
      continue; // what a ring holds was a value before
    const Span span = memory.span(b, s);
    std::size_t first = 0;
    span.pieces([&](const void* data, std::size_t bytes) {
      const std::size_t count = bytes / sizeof(double);
      places.push_back({.data = static_cast<const double*>(data),
                        .count = count,
                        .block = b,
                        .slot = s,
                        .item = -1,
                        .first = first});
      first += count;
    });
  }
}

void Watch::bind(const System& system, const std::vector<BlockIndex>& order, const Memory& memory,
                 const Flagging& flagging, bool every_value) {
  every_value_ = every_value;
  Pieces outputs, states, other_outputs, other_states;
  for (const BlockIndex b : order) {
    const bool other = flagging[b] == 0;
    std::size_t at = output_places_.size();
    list_outputs(system.blocks[b], b, memory, output_places_);
    for (; at < output_places_.size(); ++at) {
      add(outputs, output_places_[at]);
      if (other) add(other_outputs, output_places_[at]);
    }
    at = state_places_.size();
    list_states(b, memory, state_places_);
    for (; at < state_places_.size(); ++at) {
      if (state_places_[at].count > large) {
        large_.push_back(state_places_[at]);
        if (other) other_large_.push_back(state_places_[at]);
        continue;
      }
      add(states, state_places_[at]);
      if (other) add(other_states, state_places_[at]);
    }
    for (Pieces* pieces : {&outputs, &states, &other_outputs, &other_states}) close_record(*pieces);
  }
  outputs_ = set_of(outputs);
  states_ = set_of(states);
  other_outputs_ = set_of(other_outputs);
  other_states_ = set_of(other_states);
}

/// Neighbours in a record become one piece.
void Watch::add(Pieces& pieces, const Place& place) {
  if (place.count == 0) return;
  if (!pieces.fresh.empty() && pieces.fresh.back().first + pieces.fresh.back().width == place.data)
    pieces.fresh.back().width += place.count;
  else
    pieces.fresh.push_back({place.data, 0, 1, place.count});
}

/// A record with the same pieces as those before it, evenly spaced, makes their runs longer.
void Watch::close_record(Pieces& pieces) {
  if (pieces.fresh.empty()) return;
  const std::vector<Run>& fresh = pieces.fresh;
  bool extends = pieces.runs.size() - pieces.last == fresh.size();
  for (std::size_t i = 0; extends && i < fresh.size(); ++i) {
    const Run& run = pieces.runs[pieces.last + i];
    const char* next = bytes(run.first) + run.stride * run.count;
    extends = run.width == fresh[i].width && bytes(fresh[i].first) > bytes(run.first) &&
              (run.count == 1 ? bytes(fresh[i].first) - bytes(run.first) ==
                                    bytes(fresh[0].first) - bytes(pieces.runs[pieces.last].first)
                              : bytes(fresh[i].first) == next);
  }
  if (extends) {
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      Run& run = pieces.runs[pieces.last + i];
      if (run.count == 1) run.stride = static_cast<std::size_t>(bytes(fresh[i].first) - bytes(run.first));
      ++run.count;
    }
  } else {
    pieces.last = pieces.runs.size();
    pieces.runs.insert(pieces.runs.end(), fresh.begin(), fresh.end());
  }
  pieces.fresh.clear();
}

Watch::Set Watch::set_of(const Pieces& pieces) {
  constexpr std::size_t long_run = 8; // records
  Set set;
  for (Run run : pieces.runs) {
    if (run.width == 1 && run.stride == sizeof(double))
      run.width = std::exchange(run.count, 1); // side by side in lanes
    if (run.count >= long_run) {
      set.runs.push_back(run);
      continue;
    }
    for (std::size_t r = 0; r < run.count; ++r) {
      const double* x = reinterpret_cast<const double*>(bytes(run.first) + r * run.stride);
      std::size_t left = run.width;
      for (; left >= 4; left -= 4, x += 4) set.fours.push_back(x);
      if (left == 3 && run.width > 3) set.fours.push_back(x - 1), left = 0;
      if (left >= 2) set.twos.push_back(x), x += 2, left -= 2;
      if (left == 1) set.ones.push_back(x);
    }
  }
  return set;
}

template <bool infinities> bool Watch::any_bad(const Set& set) noexcept {
  Seen<infinities> seen;
  for (const double* x : set.fours) seen.four(x);
  for (const double* x : set.twos) seen.two(x);
  for (const double* x : set.ones) seen.pair(x, x);
  for (const Run& run : set.runs) {
    const char* at = bytes(run.first);
    if (run.width == 1)
      look_apart(seen, at, run.stride, run.count);
    else if (run.width == 2)
      look_at_twos(seen, at, run.stride, run.count);
    else if (run.width == 3)
      look_at_threes(seen, at, run.stride, run.count);
    else
      look_at_many(seen, at, run.stride, run.count, run.width);
  }
  return seen.found();
}

void Watch::check_outputs(bool marked) noexcept {
  if (broken_) return;
  if (!every_value_ && !fresh_ && !marked && !any_bad<true>(other_outputs_)) return;
  ++whole_looks_;
  if (every_value_) {
    if (any_bad<false>(outputs_)) found(true);
  } else if (any_bad<true>(outputs_)) {
    if (any_bad<false>(outputs_)) return found(true);
    every_value_ = true;
  }
}

void Watch::check_states(std::int64_t tick, bool marked) noexcept {
  if (broken_) return;
  const bool whole = every_value_ || fresh_ || marked;
  fresh_ = false;
  if (any_bad<true>(whole ? states_ : other_states_)) return found(false);
  if (large_.empty()) return;
  // A block that flags what it does has put it there with a mark, or it has been there from the beginning.
  if (whole && !every_value_) every_value_ = any_large_bad();
  check_slices(every_value_ ? large_ : other_large_, tick);
}

void Watch::found(bool output) noexcept {
  broken_ = true;
  finding_ = find(output);
}

bool Watch::any_large_bad() const noexcept {
  Seen<true> seen;
  for (const Place& place : large_) look(seen, place.data, place.count);
  return seen.found();
}

/// Which slice follows from the tick alone, so that a run that continues from a checkpoint looks at the same.
void Watch::check_slices(const std::vector<Place>& places, std::int64_t tick) noexcept {
  Seen<true> seen;
  for (const Place& place : places) {
    const std::size_t slices = (place.count + slice - 1) / slice;
    const std::size_t first = static_cast<std::size_t>(tick) % slices * slice;
    look(seen, place.data + first, std::min(slice, place.count - first));
  }
  if (seen.found()) found(false);
}

/// The first one, in the order in which they are computed.
Watch::Finding Watch::find(bool output) const noexcept {
  for (const Place& place : output ? output_places_ : state_places_)
    for (std::size_t i = 0; i < place.count; ++i)
      if (output ? std::isnan(place.data[i]) : !std::isfinite(place.data[i]))
        return {.block = place.block,
                .slot = place.slot,
                .item = place.item,
                .element = place.first + i,
                .value = place.data[i]};
  return {};
}

} // namespace hilda::run
