// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/timed_settings.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::compile {

/// Adds the samples of what overlays play to the changes of their ticks. Codes: those of finding the file,
/// unknown-setting, play-file: the recording cannot be read; play-shape, play-unit: it does not fit what it is played
/// on; play-time: a sample is not at a tick.
void add_played(const System& system, const std::vector<PlayedSetting>& played, std::vector<TimedChange>& changes,
                Diagnostics& diagnostics);

} // namespace hilda::compile
