// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/telegram.h"

#include <string>

namespace hilda::kuka {

/// m: one step of the last decimal of the poses that a robot sends.
double pose_step(const RobotTelegram& telegram);

/// Why the loop must not take over from a robot that sends this; empty: it may.
/// @param held_delay  Delay before anything was answered, where an earlier correction may be held; else 0
/// @param coarsest    m, of pose_step; 0: any
std::string start_refusal(const RobotTelegram& first, std::int64_t held_delay, double coarsest);

} // namespace hilda::kuka
