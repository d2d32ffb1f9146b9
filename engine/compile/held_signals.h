// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/tick_event.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::compile {

/// Discrete blocks with a line of samples between continuous ones, where the run's steps are variable and no one has
/// declared that they sample: what they give has the error of a tick, whatever the tolerances are. Code: delay-sampled.
void warn_of_sampled_lines(const System& system, const SolverSettings& settings, Diagnostics& diagnostics);

/// Where steps are fixed: sources that change with time and that continuous blocks hear as they were at the last tick,
/// for no one has reported what they are. Empty: there are none.
std::string held_sources_remark(const System& system);
/// Where a fixed step locates nothing: blocks that limit the rate of a continuous signal which continuous blocks hear.
/// Empty: there are none.
std::string rates_at_ticks_remark(const System& system);
/// Blocks that look at ticks at conditions of continuous blocks, and that continuous blocks hear; where a fixed step
/// locates crossings, at any of their signals. Empty: there are none.
std::string sampled_conditions_remark(const System& system);
/// Where steps are fixed: continuous delays of a signal that jumps at ticks. Empty: there are none.
std::string delayed_jumps_remark(const System& system);

/// What may happen between two ticks and act on continuous blocks, where a fixed step notices it at the next tick alone
/// and no one has declared that this is meant.
std::vector<TickEvent> events_at_ticks(const System& system);
/// Those of them whose block has an event() that is not called, as its update() acts at the next tick. `clocked`: ticks
/// are due at times of the clock. Empty: there are none.
std::string unlocated_events_remark(const System& system, bool clocked);

} // namespace hilda::compile
