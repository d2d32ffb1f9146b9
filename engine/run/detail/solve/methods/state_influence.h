// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/memory.h"
#include "engine/run/schedule.h"

#include <cstdint>
#include <vector>

namespace hilda::run {

/// Which derivatives may change with which continuous state, as far as wires and declared feedthrough tell, and which
/// states can therefore be changed at one time when slopes are measured (Curtis, Powell and Reid 1974).
struct StateInfluence {
  std::vector<std::vector<std::uint32_t>> rows;   ///< by state: the derivatives, ascending
  std::vector<std::vector<std::uint32_t>> groups; ///< states no two of which share a derivative
};

StateInfluence state_influence(const System& system, const Schedule& schedule);

} // namespace hilda::run
