// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

namespace hilda::run {

/// Marks the calling thread's loop for a watcher, from construction to destruction: in between, this thread may neither
/// allocate, lock, throw nor make a system call that the watcher does not know as bounded.
///
/// The watcher is a preloaded library that exports `hilda_trap_arm` and `hilda_trap_disarm` (tests/realtime/trap).
/// Without one, which is the rule, both ends do nothing. To be made on the loop's thread, outside of the first tick.
class LoopTrap {
public:
  /// Gives the path of the block that runs at the moment, or null between blocks. It is called on the loop's thread in
  /// the middle of an offence, perhaps in a signal handler: it may only read.
  using Running = const char* (*)(void* context);

  LoopTrap(Running running, void* context);
  ~LoopTrap();
  LoopTrap(const LoopTrap&) = delete;
  LoopTrap& operator=(const LoopTrap&) = delete;
  LoopTrap(LoopTrap&&) = delete;
  LoopTrap& operator=(LoopTrap&&) = delete;

  /// Whether a watcher is loaded; the loop then keeps track of the running block.
  static bool watched();
};

} // namespace hilda::run
