// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <nlohmann/json_fwd.hpp>

namespace hilda::session {

/// What `<limits>` let through to each input that moves something, SI: {"rig.robot.command_pose": {"speed": 0.25,
/// "stop_time": 0.1}}. Signals without limits are left out.
nlohmann::ordered_json limit_values(const System& system);

/// What `<quality>` asks of each measured output before anything is armed, SI: {"rig.sensor.force": {"noise": 0.5}}.
nlohmann::ordered_json quality_values(const System& system);

} // namespace hilda::session
