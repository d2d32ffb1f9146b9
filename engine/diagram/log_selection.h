// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace hilda::diagram {

/// Which samples of a signal a log keeps.
struct KeptSamples {
  bool any = true;               ///< false: none
  std::int64_t divider = 1;      ///< base ticks from one to the next
  const LogRule* rule = nullptr; ///< null: no `<log>` says anything about it
};

/// What the `<log>` elements of a system say about its signals. The outermost diagram that has such elements decides
/// for all signals in it; what none of them names is not recorded, and of several the last counts.
class LogSelection {
public:
  /// The system must outlive it.
  explicit LogSelection(const System& system);

  KeptSamples of_output(BlockIndex block, SlotIndex slot, int item) const;
  KeptSamples of_power_port(std::size_t port) const;
  /// Does any element say what is recorded?
  bool empty() const { return system_.logs.empty(); }

private:
  KeptSamples kept(const LogRule* rule, const std::string& path, std::int64_t own) const;

  const System& system_;
  std::map<std::tuple<BlockIndex, SlotIndex, int>, const LogRule*> outputs_;
  std::map<std::size_t, const LogRule*> power_ports_;
};

} // namespace hilda::diagram
