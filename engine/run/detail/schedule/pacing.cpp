// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/pacing.h"

namespace hilda::run {

const hilda_clock_1* clock_of(const Memory& memory, BlockIndex block) {
  const hilda_block_type& type = *memory.layout(block).abi;
  if (type.extension == nullptr) return nullptr;
  const auto* clock = static_cast<const hilda_clock_1*>(type.extension("hilda.clock/1"));
  if (clock == nullptr || clock->period == nullptr || clock->wait == nullptr) return nullptr;
  return clock->period(memory.record(block)) > 0 ? clock : nullptr;
}

Indexed<BlockIndex, unsigned char> pacing_blocks(const System& system, const Memory& memory) {
  Indexed<BlockIndex, unsigned char> pacing(system.blocks.size(), 0);
  for (const BlockIndex b : system.blocks.indices())
    if (clock_of(memory, b) != nullptr) pacing[b] = 1;
  return pacing;
}

} // namespace hilda::run
