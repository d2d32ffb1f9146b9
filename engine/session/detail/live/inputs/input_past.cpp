// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/live/inputs/input_past.h"

namespace hilda::session {

void InputPast::make_room(std::size_t words) {
  if (made()) return;
  words_ = std::make_unique_for_overwrite<std::uint64_t[]>(words);
  room_ = words;
}

void InputPast::add(std::int64_t tick, std::uint64_t texts_before, std::size_t input,
                    std::span<const std::uint64_t> words) noexcept {
  if (!made()) return;
  const std::size_t need = head + words.size();
  while (end_ - first_ + need > room_ && first_ != end_) {
    begin_ = tick_at(first_) + 1;
    first_ += size_at(first_);
  }
  if (need > room_) {
    begin_ = tick + 1;
    return;
  }
  at(end_) = static_cast<std::uint64_t>(tick);
  at(end_ + 1) = texts_before;
  at(end_ + 2) = input;
  at(end_ + 3) = words.size();
  for (std::size_t i = 0; i < words.size(); ++i) at(end_ + head + i) = words[i];
  end_ += need;
}

std::vector<InputPast::Entry> InputPast::between(std::int64_t first, std::int64_t end) const {
  std::vector<Entry> entries;
  for (std::size_t place = first_; place != end_; place += size_at(place)) {
    const std::int64_t tick = tick_at(place);
    if (tick < first || tick >= end) continue;
    Entry entry{tick, at(place + 1), at(place + 2), {}};
    for (std::size_t i = head; i < size_at(place); ++i) entry.words.push_back(at(place + i));
    entries.push_back(std::move(entry));
  }
  return entries;
}

void InputPast::cut(std::int64_t tick) {
  std::size_t place = first_;
  while (place != end_ && tick_at(place) < tick) place += size_at(place);
  end_ = place;
}

void InputPast::clear() {
  first_ = end_ = 0;
  begin_ = 0;
}

} // namespace hilda::session
