// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/frame_history.h"

#include <algorithm>

namespace hilda::studio {

void FrameHistory::add(std::int64_t tick, std::span<const std::byte> frame) {
  if (chunks_.empty() || chunks_.back().size() + frame.size() > std::max(chunk_bytes, frame.size())) {
    if ((chunks_.size() + 1) * chunk_bytes > budget) {
      while (!frames_.empty() && frames_.front().chunk == first_) frames_.pop_front();
      chunks_.pop_front();
      ++first_;
    }
    chunks_.emplace_back().reserve(std::max(chunk_bytes, frame.size()));
  }
  std::vector<std::byte>& chunk = chunks_.back();
  frames_.push_back({tick, first_ + chunks_.size() - 1, chunk.size(), frame.size()});
  chunk.insert(chunk.end(), frame.begin(), frame.end());
}

void FrameHistory::clear() {
  chunks_.clear();
  frames_.clear();
  first_ = 0;
}

void FrameHistory::drop_from(std::int64_t tick) {
  while (!frames_.empty() && frames_.back().tick >= tick) {
    chunks_.back().resize(frames_.back().at);
    frames_.pop_back();
    const std::uint64_t last = frames_.empty() ? first_ : frames_.back().chunk;
    while (first_ + chunks_.size() - 1 > last) chunks_.pop_back();
  }
}

std::span<const std::byte> FrameHistory::operator[](std::size_t frame) const {
  const Frame& place = frames_[frame];
  return std::span(chunks_[place.chunk - first_]).subspan(place.at, place.bytes);
}

} // namespace hilda::studio
