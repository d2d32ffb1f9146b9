#pragma once

#include "engine/schedule/schedule.h"

namespace hilda {

/// Stands in for the calls of a loop that runs block by block: it makes each call itself and may look before and after.
class CallObserver {
public:
  virtual ~CallObserver() = default;
  /// Calls `call.single(call.first, tick)` once or more.
  virtual void call(const Call& call, const hilda_tick* tick) = 0;
};

} // namespace hilda
