// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/plugin/floating_point.h"

namespace hilda::run {

/// Who has left another floating-point mode behind, of the calls that cannot be made again to find that out: they come
/// once, or as an event, and write states. The first one counts. The mode is left as it is, for the tick to find.
class ModeWitness {
public:
  /// [loop] Makes the call.
  template <typename Body> void watch(BlockIndex block, const char* phase, Body&& body) {
    const FloatingPointMode before = FloatingPointMode::current();
    body();
    if (phase_ == nullptr && before.changed()) block_ = block, phase_ = phase;
  }
  /// The function of `block`, or null where no one has.
  const char* phase() const noexcept { return phase_; }
  BlockIndex block() const noexcept { return block_; }

private:
  const char* phase_ = nullptr;
  BlockIndex block_;
};

} // namespace hilda::run
