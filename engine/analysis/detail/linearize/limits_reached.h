// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <string>
#include <vector>

namespace hilda::analysis {

/// Outputs of these blocks that are at a limit which their type shows ("hilda.limits/1"): "'pid.command' at upper =
/// 0.1". A small change passes none of them, so a linear model of that moment has no way through there.
std::vector<std::string> limits_reached(const Runtime& runtime, const Indexed<BlockIndex, bool>& blocks);

} // namespace hilda::analysis
