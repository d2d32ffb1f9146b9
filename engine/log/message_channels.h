// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/detail/format/ros2_message.h"
#include "engine/log/frame_layout.h"
#include "engine/modules.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hilda::log {

/// Messages under one topic, as a log or someone who listens hears of them.
struct MessageChannel {
  std::string topic;
  std::size_t type = 0;    ///< index into MessageChannels::types
  std::string description; ///< as JSON, of its signals; empty for the log's own
};

/// What frames become: a channel for each group of their layout, then the log's own, of events and of lost ticks.
struct MessageChannels {
  std::vector<Ros2Type> types; ///< each once, in the order of their first use, of different names
  std::vector<MessageChannel> channels;
};
MessageChannels message_channels(const LogSchema& schema, const FrameLayout& layout);

/// A message's first bytes: that it is CDR, plain and little-endian, and the tick. Gives the place behind them.
std::byte* begin_message(std::byte* target, std::int64_t tick);

} // namespace hilda::log
