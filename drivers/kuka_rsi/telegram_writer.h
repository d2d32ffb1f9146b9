// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/telegram.h"

#include <span>

namespace hilda::kuka {

/// Rounded as numbers travel: to six decimals, that is 1 nm and 1e-6 deg.
double as_written(double value);

/// Both write one telegram and return its length; 0 where it does not fit, or a number is not finite or beyond 1e9.
/// Never allocate. Channels of SEND that are not the controller's own carry 0, the status channel its value.
std::size_t write_robot_telegram(const EthernetFile& file, const Channel* status, const RobotTelegram& telegram,
                                 std::span<char> to);
/// `telegram.value` has one entry a channel of RECEIVE; texts are sent empty.
std::size_t write_sensor_telegram(const EthernetFile& file, const SensorTelegram& telegram, std::span<char> to);

} // namespace hilda::kuka
