// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/schedule.h"

namespace hilda::run {

/// Where a step is: its first half ends with its outputs; then others look at it, and it continues.
enum class StepMark : std::uint8_t { begins, computed, goes_on, ends };

/// Replaces the calls of a loop that runs block by block: it makes each call itself and may look before and after.
class CallObserver {
public:
  virtual ~CallObserver() = default;
  /// Calls `call.single(call.first, tick)` once or more.
  virtual void call(const Call& call, const hilda_tick* tick) = 0;
  /// The same, once, for a call at a solver's minor step.
  virtual void minor_call(const Call& call, const hilda_tick* tick) { call.single(call.first, tick); }
  /// [loop] A step that is given up has no end.
  virtual void mark(StepMark) noexcept {}
};

} // namespace hilda::run
