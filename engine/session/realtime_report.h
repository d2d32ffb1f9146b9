// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/session/executor.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda::session {

/// What the summary has under "realtime", times in s: period, clock, ticks, lost, late, overruns; jitter_p50 to _max,
/// reply_p50 to _max and compute_p50 to _max; witness_late (null without a witness); log_dropped, log_unrecorded; and
/// of the first overruns where their time went.
nlohmann::ordered_json realtime_document(const RealtimeFigures& figures, const System& system);

/// The same for people, with histograms: lines that each end in a line break.
std::string realtime_text(const RealtimeFigures& figures, const System& system);

} // namespace hilda::session
