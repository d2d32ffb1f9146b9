// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <hilda/lanes.h>
#include <vector>

namespace hilda::run {

/// Equal blocks whose records lie in one another, so that one call computes all of them.
struct LaneGroup {
  std::vector<BlockIndex> blocks; ///< lane by lane
  const BlockType* layout = nullptr;
  const hilda_lanes_1* functions = nullptr;
};

/// Groups of neighbours in `order` that may be computed at once: of one type, shape and rate, under no guard, with
/// equal choices, their inputs driven alike, none of them wired to another.
/// @param most  blocks in a group; 1: there are none
std::vector<LaneGroup> lane_groups(const System& system, const std::vector<BlockIndex>& order, std::uint32_t most);

} // namespace hilda::run
