// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/realtime_settings.h"
#include "engine/modules.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hilda::session {

/// One thing about a machine that decides how well a loop keeps its time.
struct MachineFinding {
  bool good = true;
  std::string subject; ///< "kernel"
  std::string found;   ///< what there is
  std::string help;    ///< what to change; empty where good
};

/// What files under /proc and /sys say: kernel, runaway guard, clock source, frequency governors, isolated processors.
/// @param root  the folder that holds `proc` and `sys`: "/" but for tests
std::vector<MachineFinding> look_at_kernel(const std::filesystem::path& root, const RealtimeSettings& settings);

/// Whether this process may have what the settings ask for: priority, processors, locked memory.
std::vector<MachineFinding> look_at_rights(const RealtimeSettings& settings);

/// Of every network interface that is up, but for loopback: does it gather packets before it hands them on? As far as
/// the driver shows.
std::vector<MachineFinding> look_at_network();

/// The timer's resolution, and how late a thread with these settings wakes within `seconds` of 1 ms cycles.
/// @param period  s, of the loop to come; 0: not known
std::vector<MachineFinding> look_at_timing(const RealtimeSettings& settings, double seconds, double period);

/// Processors of a kernel's list: "0-2,5".
std::vector<int> processors_in(const std::string& list);

} // namespace hilda::session
