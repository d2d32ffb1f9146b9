// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/loop/memory_need.h"

#include "engine/base/budget.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace hilda::run {

void report_rings(const System& system, const Memory& memory, Diagnostics& diagnostics) {
  constexpr double largest_line = 1 << 30U, megabyte = 1e6; // bytes
  double all = 0, largest = 0;
  BlockIndex block(0);
  for (const BlockIndex b : system.blocks.indices())
    for (const SlotIndex s : memory.layout(b).slots.indices()) {
      if (!memory.layout(b).slots[s].is(HILDA_RING)) continue;
      const hilda_ring& ring = *memory.ring(b, s);
      const double bytes = 8.0 * static_cast<double>(ring.capacity) * ring.rows * ring.cols;
      all += bytes;
      if (bytes > largest) largest = bytes, block = b;
    }
  const SystemBlock& line = system.blocks[block];
  const std::string help = "shorten the delay or lengthen the sample time";
  if (largest > largest_line || largest <= 0)
    return diagnostics.error(
        "ring-capacity", line.where,
        fmt::format("the delay line of '{}' would hold {:.0f} MB, more than 1 GiB", line.path, largest / megabyte),
        help);
  diagnostics.error("ring-capacity", line.where,
                    fmt::format("all delay lines would hold {:.0f} MB, and the budget of memory is {:.0f} MB; the "
                                "largest is that of '{}', {:.0f} MB",
                                all / megabyte, static_cast<double>(budget().memory) / megabyte, line.path,
                                largest / megabyte),
                    help + ", or give more: --budget-memory SIZE");
}

bool signals_fit(const System& system, Diagnostics& diagnostics) {
  const double all = budget().memory > 0 ? static_cast<double>(budget().memory) : 1e12; // bytes
  double sum = 0, largest = 0;
  const SystemBlock* worst = nullptr;
  std::string name, shape;
  for (const SystemBlock& block : system.blocks)
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = block.type->slots[port.slot];
      if (slot.role != HILDA_OUTPUT) continue;
      const double bytes = 8.0 * std::max(0, port.type.rows) * std::max(0, port.type.cols);
      sum += bytes;
      if (bytes <= largest) continue;
      largest = bytes, worst = &block;
      name = slot.name, shape = fmt::format("{} x {}", port.type.rows, port.type.cols);
    }
  if (sum <= all || worst == nullptr) return true;
  constexpr double megabyte = 1e6;
  diagnostics.error(
      "signal-size", worst->where,
      fmt::format("all signals would take {:.0f} MB, and the budget of memory is {:.0f} MB; the largest is "
                  "'{}.{}', {}",
                  sum / megabyte, all / megabyte, worst->path, name, shape),
      "make it smaller, or give more: --budget-memory SIZE");
  return false;
}

} // namespace hilda::run
