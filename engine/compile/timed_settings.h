// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/live_change.h"
#include "engine/diagram/timed_setting.h"
#include "engine/modules.h"

namespace hilda::compile {

/// A time that is written in decimals may be so far from its tick, in ticks.
inline constexpr double tick_slack = 1e-6;
inline constexpr double latest_tick = 1e12;

/// Numbers of a recorded signal for one input, in SI.
struct PlayedNumbers {
  std::string path;
  std::vector<double> numbers;
};

/// What overlays set before one tick.
struct TimedChange {
  std::int64_t tick = 0;
  std::vector<Attribute> settings;
  std::vector<PlayedNumbers> played = {}; ///< after the settings
  Location played_where = {};             ///< of the first

  const std::string& first_path() const { return settings.empty() ? played.front().path : settings.front().name; }
};

/// Are the files of <play> read? A replay has their numbers already.
enum class PlayedFiles : std::uint8_t { read, unread };

/// For a checked system: the settings and numbers of each tick, in the order of ticks. Checks that each may change by
/// then. Codes: setting-time, setting-paused, those of look_at_change and of add_played.
std::vector<TimedChange> settle_late(const System& system, LateSettings late, PlayedFiles files,
                                     Diagnostics& diagnostics);

} // namespace hilda::compile
