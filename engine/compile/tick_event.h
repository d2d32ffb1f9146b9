// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstdint>

namespace hilda::compile {

/// What may happen between two ticks and acts on continuous blocks at the next tick: with a fixed step that locates no
/// crossings.
struct TickEvent {
  enum class Kind : std::uint8_t {
    switches, ///< a discrete block whose output jumps: a relay, a step
    modes,    ///< a mode that holds a block where its event is located, and lasts for an instant where it is not:
              ///< friction that sticks
    resets,   ///< a continuous block whose update() sets its continuous state
    condition ///< `enable` or `reset` of continuous blocks
  } kind = Kind::switches;
  BlockIndex block{}; ///< of a condition: the one that drives it
  GuardIndex guard{}; ///< of a condition
};

} // namespace hilda::compile
