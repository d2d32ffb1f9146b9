// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/memory.h"

#include <array>
#include <cstddef>
#include <span>

namespace hilda::run {

/// What lies directly before and behind the memory of one block: other blocks' memory, which a call of this one leaves
/// alone. Where there are fences, these are looked at instead.
class Neighbours {
public:
  /// Before the call. `first`: the block whose memory is the first of all.
  Neighbours(const Memory& memory, const System& system, BlockIndex first, BlockIndex block);
  /// After the call: are they as they were?
  bool whole() const;

private:
  static constexpr std::size_t reach = 64;
  struct Side {
    std::span<const std::byte> now;
    std::array<std::byte, reach> before{};
    void take(const std::byte* from, std::size_t bytes);
    bool whole() const;
  };
  Side below_, above_;
};

} // namespace hilda::run
