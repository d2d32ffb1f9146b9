// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/motion_limits.h"
#include "engine/session/machine.h"
#include "tools/cli/detail/look/block_facts.h"
#include "tools/modules.h"

#include <vector>

namespace hilda::cli {

/// What belongs to a KUKA robot over RSI: network, ethernet file, RSI context, time-outs.
/// @param address  where this machine listens for the robot, found here
std::vector<MachineFinding> look_at_robot(const BlockFacts& robot, const MotionLimits& limits,
                                          const std::string& rsi_context, std::string& address);

} // namespace hilda::cli
