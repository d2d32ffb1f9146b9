#pragma once

#include "engine/diagnostics/diagnostic.h"

#include <vector>

namespace hilda {

/// How the thread of a paced loop runs: `<realtime priority="80" processors="1"/>` in the diagram or its rig.
struct RealtimeSettings {
  int priority = 80;           ///< of SCHED_FIFO, 1 to 99
  std::vector<int> processors; ///< that the loop may use, ascending; empty: any
  Location where;              ///< of the element; no file: there is none
};

} // namespace hilda
