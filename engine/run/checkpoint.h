// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hilda::run {

/// Everything that a run needs to continue from here with the same bits: states, held outputs, guards, the tick.
struct Checkpoint {
  std::int64_t tick = 0;
  std::vector<unsigned char> bytes;
  std::uint64_t diagram = 0;  ///< of what it is: blocks, types, wires, shapes; values of parameters do not count
  std::uint64_t checksum = 0; ///< over all of the above

  /// The checksum that belongs to the rest. It differs after any change of a single byte, and with all but one in 2^64
  /// of others.
  std::uint64_t sum() const;
  bool intact() const { return checksum == sum(); }
  /// In one piece, for a file; and back: none where that is cut.
  std::vector<unsigned char> packed() const;
  static std::optional<Checkpoint> unpacked(std::string_view bytes);
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

} // namespace hilda::run
