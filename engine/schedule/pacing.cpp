#include "engine/schedule/pacing.h"

namespace hilda {

const hilda_clock_1* clock_of(const Memory& memory, int block) {
  const hilda_block_type& type = *memory.layout(block).abi;
  if (type.extension == nullptr) return nullptr;
  const auto* clock = static_cast<const hilda_clock_1*>(type.extension("hilda.clock/1"));
  if (clock == nullptr || clock->period == nullptr || clock->wait == nullptr) return nullptr;
  return clock->period(memory.record(block)) > 0 ? clock : nullptr;
}

std::vector<unsigned char> pacing_blocks(const System& system, const Memory& memory) {
  std::vector<unsigned char> pacing(system.blocks.size(), 0);
  for (std::size_t b = 0; b < pacing.size(); ++b)
    if (clock_of(memory, static_cast<int>(b)) != nullptr) pacing[b] = 1;
  return pacing;
}

} // namespace hilda
