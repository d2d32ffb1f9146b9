#include "engine/run/watch.h"

#include <algorithm>
#include <cmath>

namespace hilda {

namespace {

constexpr std::size_t large_state = 1024, slice = 64; // doubles

/// Not zero where one of them is NaN. Two at a time: an unordered pair has at least one.
unsigned any_nan(const double* x, std::size_t count) noexcept {
  unsigned bad = 0;
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) bad |= static_cast<unsigned>(std::isunordered(x[i], x[i + 1]));
  if (i < count) bad |= static_cast<unsigned>(std::isnan(x[i]));
  return bad;
}

/// The same for one double in each of `count` records.
unsigned any_nan_apart(const char* at, std::size_t stride, std::size_t count) noexcept {
  const auto value = [](const char* p) { return *reinterpret_cast<const double*>(p); };
  unsigned bad = 0;
  for (; count >= 2; count -= 2, at += 2 * stride)
    bad |= static_cast<unsigned>(std::isunordered(value(at), value(at + stride)));
  if (count == 1) bad |= static_cast<unsigned>(std::isnan(value(at)));
  return bad;
}

const char* bytes(const double* x) { return reinterpret_cast<const char*>(x); }

} // namespace

void Watch::bind(const System& system, const std::vector<int>& order, const Memory& memory) {
  Pieces outputs, states;
  for (const int b : order) {
    const SystemBlock& block = system.blocks[static_cast<std::size_t>(b)];
    const BlockType& layout = memory.layout(b);
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = layout.slots[static_cast<std::size_t>(port.slot)];
      if (slot.role != HILDA_OUTPUT || slot.element != HILDA_F64) continue;
      const Span span = memory.span(b, port.slot, port.item);
      output_places_.push_back({static_cast<const double*>(span.data), span.count, b, port.slot, port.item});
      add(outputs, output_places_.back());
    }
    for (std::size_t s = 0; s < layout.slots.size(); ++s) {
      const Slot& slot = layout.slots[s];
      if (slot.role != HILDA_STATE || slot.element != HILDA_F64 || slot.is(HILDA_RING))
        continue; // what a ring holds was a value before
      const Span span = memory.span(b, static_cast<int>(s));
      state_places_.push_back({static_cast<const double*>(span.data), span.count, b, static_cast<int>(s), -1});
      if (span.count > large_state)
        large_.push_back(state_places_.back());
      else
        add(states, state_places_.back());
    }
    close_record(outputs);
    close_record(states);
  }
  outputs_ = std::move(outputs.runs);
  states_ = std::move(states.runs);
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

void Watch::check(const std::vector<Run>& runs, bool outputs) noexcept {
  if (broken_) return;
  unsigned bad = 0;
  for (const Run& run : runs) {
    const char* at = bytes(run.first);
    if (run.width == 1)
      bad |= any_nan_apart(at, run.stride, run.count);
    else
      for (std::size_t r = 0; r < run.count; ++r, at += run.stride)
        bad |= any_nan(reinterpret_cast<const double*>(at), run.width);
  }
  if (bad == 0) return;
  broken_ = true;
  broken_output_ = outputs;
}

/// Which slice follows from the tick alone, so that a run that goes on from a checkpoint looks at the same.
void Watch::check_slices(std::int64_t tick) noexcept {
  for (const Place& place : large_) {
    const std::size_t slices = (place.count + slice - 1) / slice;
    const std::size_t first = static_cast<std::size_t>(tick) % slices * slice;
    if (any_nan(place.data + first, std::min(slice, place.count - first)) == 0) continue;
    broken_ = true;
    broken_output_ = false;
  }
}

Watch::Finding Watch::finding() const {
  for (const Place& place : broken_output_ ? output_places_ : state_places_)
    for (std::size_t i = 0; i < place.count; ++i)
      if (std::isnan(place.data[i])) return {place.block, place.slot, place.item, i};
  return {};
}

} // namespace hilda
