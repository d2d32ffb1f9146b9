#pragma once

#include <cstdint>
#include <vector>

namespace hilda {

/// Everything that a run needs to go on from here with the same bits: states, held outputs, guards, the tick.
struct Checkpoint {
  std::int64_t tick = 0;
  std::vector<unsigned char> bytes;
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

} // namespace hilda
