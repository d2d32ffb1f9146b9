// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/timed_settings.h"
#include "engine/modules.h"
#include "engine/session/tuning.h"

namespace hilda::session {

/// On the loop's thread, between two ticks: sets what overlays set before this tick. False after errors: those of
/// Tuning::set and Tuning::input, and play-refused: the input does not take the numbers.
bool take_timed_change(Tuning& tuning, const TimedChange& change, Recorder* recorder, Diagnostics& diagnostics);

} // namespace hilda::session
