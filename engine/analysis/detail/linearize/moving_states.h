// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::analysis {

/// States of these blocks that are not real numbers, and that the next `ticks` ticks change: "late.count". A linear
/// model holds them as they are, and so is one of that moment alone: a delay line that still fills passes nothing on in
/// it. Unsigned integers are left out: they are bits of something, random generators among them.
struct MovingStates {
  std::vector<std::string> for_now;  ///< they come to rest when the run continues
  std::vector<std::string> for_ever; ///< they do not, for all that one sees: a chart's samples are counted on and on
};

/// The runtime is then later.
MovingStates moving_states(Runtime& runtime, const Indexed<BlockIndex, bool>& blocks, std::int64_t ticks);

} // namespace hilda::analysis
