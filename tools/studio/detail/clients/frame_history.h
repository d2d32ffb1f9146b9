// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace hilda::studio {

/// The last frames of a run, for who begins to look at a signal later: as many as fit into a budget.
class FrameHistory {
public:
  static constexpr std::size_t budget = std::size_t{64} << 20, chunk_bytes = std::size_t{1} << 20;

  void add(std::int64_t tick, std::span<const std::byte> frame);
  void clear();
  /// Frames of this tick and later are not past any more.
  void drop_from(std::int64_t tick);

  std::size_t size() const { return frames_.size(); }
  /// From the oldest on; valid until the next change.
  std::span<const std::byte> operator[](std::size_t frame) const;

private:
  struct Frame {
    std::int64_t tick = 0;
    std::uint64_t chunk = 0; ///< counted from the first that there was
    std::size_t at = 0, bytes = 0;
  };
  std::deque<std::vector<std::byte>> chunks_;
  std::uint64_t first_ = 0; ///< number of chunks_.front()
  std::deque<Frame> frames_;
};

} // namespace hilda::studio
