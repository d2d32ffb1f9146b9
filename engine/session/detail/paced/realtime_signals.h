// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/detail/paced/block_timer.h"
#include "engine/session/run_log.h"

#include <cstdint>
#include <vector>

namespace hilda::session {

/// What a paced loop records of itself in each tick: the channel "realtime".
struct RealtimeSignals {
  std::uint8_t lost = 0;    ///< the device's cycle did not come; by the timer: due times had passed before this one
  std::uint8_t late = 0;    ///< the reply was not out when the next cycle was due
  std::int64_t periods = 1; ///< see Pace: what the safety stage received before this tick
  std::int64_t overdue = 0; ///< likewise
  double jitter = 0;        ///< s, see Beat
  double reply = 0;         ///< s, from the packet, or the due time, to the end of all emits; 0 in a lost cycle
  double compute = 0;       ///< s that the loop worked since the record before
};

/// The channel "realtime". It comes from outside: no replay can compute it.
LogChannelSource realtime_channel(const RealtimeSignals& signals);
/// A channel "realtime.<path>" for each block, with its time.
std::vector<LogChannelSource> block_time_channels(const System& system, const BlockTimer& timer);

} // namespace hilda::session
