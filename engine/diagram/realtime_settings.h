// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::diagram {

/// How a paced loop runs: `<realtime priority="80" processors="1" lost_in_a_row="5"/>` in the diagram or its rig.
struct RealtimeSettings {
  int priority = 80;           ///< of SCHED_FIFO, 1 to 99
  std::vector<int> processors; ///< that the loop may use, ascending; empty: any
  int lost_in_a_row = 5;       ///< more cycles of the timer in which a device that moves was sent nothing end the run
  Location where;              ///< of the element; no file: there is none
};

} // namespace hilda::diagram
