#pragma once

#include <cstdint>
#include <vector>

namespace hilda {

/// Everything that a run needs to go on from here with the same bits: states, held outputs, guards, the tick.
struct Checkpoint {
  std::int64_t tick = 0;
  std::vector<unsigned char> bytes;
  std::uint64_t diagram = 0;  ///< of what it is: blocks, types, wires, shapes; values of parameters do not count
  std::uint64_t checksum = 0; ///< over all of the above

  /// The checksum that belongs to the rest. It differs after any change of a single byte, and with all but one in 2^64
  /// of others.
  std::uint64_t sum() const;
  bool intact() const { return checksum == sum(); }
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

} // namespace hilda
