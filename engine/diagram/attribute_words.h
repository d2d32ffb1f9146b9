// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <array>
#include <string_view>

namespace hilda::diagram {

// Words that an attribute may be: the reader takes them, the schema lists them, the engine distinguishes them.

/// What a block or a subsystem does with its outputs while it is disabled; the first is the default.
inline constexpr std::array<std::string_view, 2> held_or_reset = {"hold", "reset"};

/// At which changes of its trigger a subsystem runs; the first is the default.
inline constexpr std::array<std::string_view, 3> trigger_edges = {"rising", "falling", "either"};

/// How the power of a port is summed up; the first is the default.
inline constexpr std::array<std::string_view, 3> power_rules = {"backward", "forward", "trapezoid"};

} // namespace hilda::diagram
