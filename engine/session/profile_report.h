// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/loop_profile.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda::session {

/// What the summary has under "profile", times in s: steps, step_p50 to _max, total, blocks, types, subsystems (each
/// with calls, time, share, step_p50 to _max), loop, log, clock.
nlohmann::ordered_json profile_document(const ProfileFigures& figures);

/// The same for people: tables of those that take longest, on lines that each end in a line break.
std::string profile_text(const ProfileFigures& figures);

} // namespace hilda::session
