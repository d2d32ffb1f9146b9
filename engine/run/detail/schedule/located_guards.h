// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/schedule.h"

#include <vector>

namespace hilda::run {

/// Conditions of continuous blocks whose signals are continuous themselves: where crossings are located they change
/// between two ticks, at the very time.
class LocatedGuards {
public:
  /// Everything given must stay where it is.
  void bind(const System& system, const Schedule& schedule, GuardStates& guards);
  bool empty() const { return list_.empty(); }

  /// [loop] Outputs are those of a time between two ticks. True where a condition has changed: blocks run that did not,
  /// or do not any more, or have been reset.
  bool evaluate();
  /// [loop] Blocks that run for the first time, or have been reset, read the inputs that prime them.
  void prime(const hilda_tick& now, ModeWitness& modes);

private:
  std::vector<GuardIndex> list_; ///< those around others first
  std::vector<const Call*> primes_;
  GuardStates* guards_ = nullptr;
};

} // namespace hilda::run
