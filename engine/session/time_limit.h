// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <optional>
#include <string>

namespace hilda::session {

/// Simulated time where neither the diagram nor the user says one, s.
inline constexpr double default_duration = 10;

/// "20s", "3min", a bare number in s: above 0; none, and `problem`, where the text is not such a time.
std::optional<double> read_duration(const std::string& text, std::string& problem);

/// The time limit of a run in s: `given` where it is not empty, else the diagram's parameter `duration`, else none. A
/// parameter that is not a time is reported; code: bad-duration.
std::optional<double> time_limit(const System& system, const std::string& given, Diagnostics& diagnostics);

} // namespace hilda::session
