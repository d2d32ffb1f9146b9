// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/plan/neighbours.h"

#include "engine/run/layout.h"

#include <algorithm>

namespace hilda::run {

void Neighbours::Side::take(const std::byte* from, std::size_t bytes) {
  now = {from, std::min(bytes, reach)};
  std::copy(now.begin(), now.end(), before.begin());
}

bool Neighbours::Side::whole() const { return std::equal(now.begin(), now.end(), before.begin()); }

Neighbours::Neighbours(const Memory& memory, const System& system, BlockIndex first, BlockIndex block) {
  if (memory.group(block) != nullptr) return; // it lies within its neighbours
  const BlockType& layout = memory.layout(block);
  const auto* const record = static_cast<const std::byte*>(memory.record(block));
  const std::size_t own = (layout.abi->record_size + 7) / 8 * 8 + behind_bytes(system.blocks[block], layout);
  const std::span<const std::byte> all = {static_cast<const std::byte*>(memory.record(first)), memory.bytes()};
  const auto at = static_cast<std::size_t>(record - all.data());
  below_.take(record - std::min(at, reach), std::min(at, reach));
  if (at + own < all.size()) above_.take(record + own, all.size() - at - own);
}

bool Neighbours::whole() const { return below_.whole() && above_.whole(); }

} // namespace hilda::run
