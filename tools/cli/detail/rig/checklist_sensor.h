// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/machine.h"
#include "tools/cli/detail/look/block_facts.h"
#include "tools/modules.h"

#include <vector>

namespace hilda::cli {

/// What belongs to an ATI box: network, page, rate, resolution.
/// @param robot_address  where this machine listens for the robot; empty: none
/// @param period         s, of the loop
std::vector<MachineFinding> look_at_sensor(const BlockFacts& sensor, const std::string& robot_address, double period);

} // namespace hilda::cli
