#include "engine/run/watch.h"

#include <cmath>

namespace hilda {

void Watch::bind(const System& system, const std::vector<int>& order, const Memory& memory) {
  for (const int b : order) {
    const SystemBlock& block = system.blocks[static_cast<std::size_t>(b)];
    const BlockType& layout = memory.layout(b);
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = layout.slots[static_cast<std::size_t>(port.slot)];
      if (slot.role != HILDA_OUTPUT || slot.element != HILDA_F64) continue;
      const Span span = memory.span(b, port.slot, port.item);
      output_places_.push_back({static_cast<const double*>(span.data), span.count, b, port.slot, port.item});
      add(outputs_, span, output_places_.back());
    }
    for (std::size_t s = 0; s < layout.slots.size(); ++s) {
      const Slot& slot = layout.slots[s];
      if (slot.role != HILDA_STATE || slot.element != HILDA_F64 || slot.is(HILDA_RING)) continue; // what a ring holds was a value before
      const Span span = memory.span(b, static_cast<int>(s));
      state_places_.push_back({static_cast<const double*>(span.data), span.count, b, static_cast<int>(s), -1});
      add(states_, span, state_places_.back());
    }
  }
}

void Watch::add(std::vector<Run>& runs, const Span& span, Place place) {
  if (span.count == 0) return;
  const auto* data = place.data;
  if (!runs.empty() && runs.back().width == span.count) {
    Run& run = runs.back();
    const auto* last = reinterpret_cast<const char*>(run.first) + run.stride * (run.count - 1);
    const auto* here = reinterpret_cast<const char*>(data);
    if (here > last && (run.count == 1 || static_cast<std::size_t>(here - last) == run.stride)) {
      run.stride = static_cast<std::size_t>(here - last);
      ++run.count;
      return;
    }
  }
  runs.push_back({data, 0, 1, span.count});
}

void Watch::check(const std::vector<Run>& runs, bool outputs) noexcept {
  if (broken_) return;
  unsigned bad = 0;
  for (const Run& run : runs) {
    const char* at = reinterpret_cast<const char*>(run.first);
    for (std::size_t r = 0; r < run.count; ++r, at += run.stride) {
      const auto* x = reinterpret_cast<const double*>(at);
      for (std::size_t i = 0; i < run.width; ++i) bad |= static_cast<unsigned>(x[i] != x[i]);
    }
  }
  if (bad == 0) return;
  broken_ = true;
  broken_output_ = outputs;
}

Watch::Finding Watch::finding() const {
  for (const Place& place : broken_output_ ? output_places_ : state_places_)
    for (std::size_t i = 0; i < place.count; ++i)
      if (std::isnan(place.data[i])) return {place.block, place.slot, place.item, i};
  return {};
}

} // namespace hilda
