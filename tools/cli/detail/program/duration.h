// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/time_limit.h"
#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// A system that requires its devices: it can be checked and planned, but not simulated.
bool is_hardware(const System& system);

/// `--for TIME`: "20s", "200 ms", a bare number in s; anything else is wrong usage.
void add_duration_option(Command command, std::string& text, const std::string& description);

} // namespace hilda::cli
