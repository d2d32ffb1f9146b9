#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/system.h"
#include "tools/cli/program/arguments.h"

#include <optional>
#include <string>

namespace hilda::cli {

/// Simulated time where neither the diagram nor the user says one, s.
inline constexpr double default_duration = 10;

/// A system that wants its devices: it can be checked and planned, but not simulated.
bool is_hardware(const System& system);

/// `--for TIME`: "20s", "200 ms", a bare number in s; anything else is wrong usage.
void add_duration_option(Command command, std::string& text, const std::string& description);

/// The time limit of a run in s: `given` where it is not empty, else the diagram's parameter `duration`, else none. A
/// parameter that is no time is reported; code: bad-duration.
std::optional<double> time_limit(const System& system, const std::string& given, Diagnostics& diagnostics);

} // namespace hilda::cli
