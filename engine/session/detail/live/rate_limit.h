// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/live_change.h"
#include "engine/modules.h"
#include "engine/session/detail/live/inputs/rate.h"

#include <functional>

namespace hilda::session {

/// Does a change keep the rates that `<live>` gives? False after live-rate.
/// @param still  for how long what a rate is given for has not been changed, s
bool within_rates(const System& system, const LiveChange& change, const std::function<double(const LiveRate&)>& still,
                  Diagnostics& diagnostics, Location where);

/// Did a change reach what this rate is given for?
bool concerns(const LiveRate& rate, const ParameterUndo& change);

} // namespace hilda::session
