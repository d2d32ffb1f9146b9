// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/system.h"

#include <algorithm>
#include <numeric>

namespace hilda::diagram {

std::string rate_text(const System& system, const SystemBlock& block) {
  return block.continuous ? "continuous" : time_text(system.base * Rational(block.divider));
}

std::int64_t hyperperiod(const System& system) {
  std::int64_t ticks = 1;
  for (const SystemBlock& block : system.blocks)
    if (!block.continuous) ticks = std::lcm(ticks, block.divider);
  return ticks;
}

SystemBlock::Port* find_port(SystemBlock& block, const PortRef& ref) {
  const auto found = std::lower_bound(
      block.ports.begin(), block.ports.end(), ref, [](const SystemBlock::Port& port, const PortRef& wanted) {
        return port.slot != wanted.slot ? port.slot < wanted.slot : port.item < wanted.item;
      });
  const bool there = found != block.ports.end() && found->slot == ref.slot && found->item == ref.item;
  return there ? &*found : nullptr;
}

const SystemBlock::Port* find_port(const SystemBlock& block, const PortRef& ref) {
  return find_port(const_cast<SystemBlock&>(block), ref);
}

} // namespace hilda::diagram
