// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/session/machine.h"
#include "tools/modules.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace hilda::cli {

/// Goes through a bare cell: what rig, vendor's files, network and sensor's box say of each other. Asks the box for its
/// page and binds the robot's port for a moment; nothing is sent to the robot.
/// @param parameters   of every block as it uses them, SI: parameter_values
/// @param rsi_context  copy of the RSI context on the robot; empty: none was given
std::vector<MachineFinding> look_at_rig(const System& system, const nlohmann::ordered_json& parameters,
                                        const std::string& rsi_context);

} // namespace hilda::cli
