// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/frame_layout.h"
#include "engine/modules.h"

#include <cstddef>
#include <span>

namespace hilda::log {

/// Sees what a loop makes, on the log's thread: behind the ring, and before it is written or left out.
class FrameTap {
public:
  virtual ~FrameTap() = default;
  /// Before the first frame, on the thread that makes the log: what frames hold from now on.
  virtual void begin(const LogSchema& schema, const FrameLayout& layout) = 0;
  /// A frame, header and all. It must not wait for a reader: the loop of a simulation waits for the log's thread.
  virtual void frame(std::span<const std::byte> frame) noexcept = 0;
};

} // namespace hilda::log
