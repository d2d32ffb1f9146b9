#include "engine/loop/runtime.h"

// The ends of a tick that touch the world: acquire and emit, and the cycles before the first tick.

namespace hilda {

bool Runtime::acquire() noexcept {
  if (options_.replay == nullptr) {
    run(schedule_.acquire);
    return true;
  }
  if (options_.replay->acquire(tick_)) return true;
  end(Cause::device, "nothing was recorded of this tick");
  return false;
}

void Runtime::emit() noexcept {
  if (options_.dry_run || options_.replay != nullptr) return;
  for (const Call& call : schedule_.emit) {
    if (due_[call.rate] == 0 || !guards_.active(call.guard)) continue;
    if ((lost_ && pacing_[call.block] != 0) || safety_.withheld(call.block) || !safety_.ready(call.block)) continue;
    call_.store(&call, std::memory_order_relaxed);
    guarded([&] { run_single(call); });
  }
  call_.store(nullptr, std::memory_order_relaxed);
  running_ = nullptr;
}

Runtime::HoldResult Runtime::hold() noexcept {
  RunningThread::mine().enter(*this);
  set_times(-1);
  for (const RateIndex r : due_.indices()) due_[r] = held_ % schedule_.dividers[r] == 0 ? 1 : 0;
  ++held_;
  run(schedule_.acquire);
  const bool known = safety_.hold();
  emit();
  lost_ = false;
  find_cause();
  if (cause_ == Cause::limit || cause_ == Cause::device || control_.verdict == HILDA_FAIL) return HoldResult::failed;
  return known ? HoldResult::holding : HoldResult::rest_unknown;
}

} // namespace hilda
