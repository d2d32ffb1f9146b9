#pragma once

#include "engine/check/live_change.h"
#include "engine/model/timed_setting.h"

namespace hilda {

/// Settings of overlays that are taken before one tick.
struct TimedChange {
  std::int64_t tick = 0;
  std::vector<Attribute> settings;
};

/// For a checked system: the settings of each tick, in the order of ticks. Checks that each may change by then. Codes:
/// setting-time, setting-paused and those of look_at_change.
std::vector<TimedChange> settle_timed(const System& system, std::vector<TimedSetting> timed, Diagnostics& diagnostics);

} // namespace hilda
