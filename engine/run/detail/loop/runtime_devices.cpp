// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/process_report.h"
#include "engine/plugin/block_report.h"
#include "engine/plugin/guests.h"
#include "engine/run/runtime.h"

#include <algorithm>
#include <cstdio>

// What touches the world: start and stop, acquire and emit at the ends of a tick, and the cycles before the first one.

namespace hilda::run {

bool Runtime::start(Diagnostics& diagnostics) {
  const Guests guests(system_, options_.hardware);
  if (!guests.have_behaved(diagnostics)) return false;
  const std::size_t errors_before = diagnostics.errors();
  for (const BlockIndex b : plan_.memory) {
    const hilda_block_type& type = *memory_->layout(b).abi;
    if (type.start == nullptr) {
      if (type.stop != nullptr) started_.push_back(b);
      continue;
    }
    BlockReport report(diagnostics, system_.blocks[b], "block-start");
    hilda_instance asking = instances_[b];
    report.attach(asking);
    const auto ask = [&] { return type.start(memory_->record(b), &asking); };
    const bool started = report.settle(report.call("start", ask) != 0, "the block does not start and does not say why");
    check_canaries("start", diagnostics);
    if (started) started_.push_back(b);
    if (diagnostics.errors() != errors_before || (options_.hardware && !guests.behave(diagnostics))) {
      stop_started([&](BlockIndex other, const BlockFault& fault) {
        BlockReport(diagnostics, system_.blocks[other], "block-throws").failed(fault.did());
      });
      return false;
    }
  }
  return guests.behave(diagnostics);
}

template <typename Tell> void Runtime::stop_started(Tell&& tell) {
  for (; !started_.empty(); started_.pop_back()) {
    const BlockIndex b = started_.back();
    const hilda_block_type& type = *memory_->layout(b).abi;
    if (type.stop == nullptr) continue;
    try {
      call_block(system_.blocks[b], "stop", [&] { type.stop(memory_->record(b)); });
      for (const ProcessChange& change : ProcessWatch::changes())
        throw BlockFault(system_.blocks[b], "stop changes what belongs to the whole process: " + change.text);
    } catch (const BlockFault& fault) { tell(b, fault); }
  }
}

bool Runtime::stop() noexcept {
  const ProcessWatch watch;
  bool sound = true;
  stop_started([&](BlockIndex block, const BlockFault& fault) {
    sound = false;
    fail_stop(block, fault.did().c_str());
  });
  return look_at_canaries() && sound;
}

/// What a device does cannot be asked of it twice.
void Runtime::call_device(const Call& call, const char* phase) noexcept {
  call_.store(&call, std::memory_order_relaxed);
  guarded([&] { modes_.watch(call.block, phase, [&] { run_single(call); }); });
  call_.store(nullptr, std::memory_order_relaxed);
  running_ = nullptr;
}

void Runtime::measure() noexcept {
  for (const Call& call : schedule_.acquire)
    if (due_[call.rate] != 0 && guards_.active(call.guard)) call_device(call, "acquire");
}

bool Runtime::acquire() noexcept {
  if (options_.replay == nullptr) {
    measure();
    return true;
  }
  if (options_.replay->acquire(tick_)) return true;
  end(Cause::device, "nothing was recorded of this tick");
  return false;
}

void Runtime::emit() noexcept {
  if (options_.dry_run || options_.replay != nullptr) return;
  std::int64_t overdue = -1;
  for (const Call& call : schedule_.emit) {
    if (due_[call.rate] == 0 || !guards_.active(call.guard)) continue;
    if ((lost_ && pacing_[call.block] != 0) || safety_.withheld(call.block) || !safety_.ready(call.block)) continue;
    if (send_clock_ != nullptr && too_late(call.block, overdue)) continue;
    send(call);
  }
}

void Runtime::let_go() noexcept {
  if (!timed() || options_.replay != nullptr) return;
  RunningThread::mine().enter(*this);
  for (const Call& call : schedule_.emit)
    if (guards_.active(call.guard) && safety_.let_go(call.block)) send(call);
}

void Runtime::send(const Call& call) noexcept {
  call_device(call, "emit");
  safety_.sent(call.block);
}

/// The clock is asked once a tick, right before the first sample is sent that depends on it.
bool Runtime::too_late(BlockIndex block, std::int64_t& overdue) noexcept {
  if (!safety_.times(block)) return false;
  if (overdue < 0) overdue = send_clock_->overdue();
  return safety_.too_late(block, overdue);
}

/// What each device has, as far as it says so or the clock does.
void Runtime::settle() noexcept {
  safety_.settle(lost_, paced_ ? &pace_ : nullptr);
  if (!paced_) return;
  paced_ = false;
  const std::int64_t row = lost_in_a_row_.count(pace_), allowed = system_.realtime.lost_in_a_row;
  const bool by_timer = std::none_of(pacing_.begin(), pacing_.end(), [](unsigned char each) { return each != 0; });
  if (row <= allowed || !by_timer || cause_ != Cause::none) return;
  std::snprintf(error_, sizeof error_,
                "%lld cycles in a row in which it was sent nothing in time (lost_in_a_row of <realtime> allows %lld): "
                "this process did not run then (stopped, or the machine is busy: hilda doctor)",
                static_cast<long long>(row), static_cast<long long>(allowed));
  end(Cause::device, error_, safety_.timed());
}

Runtime::HoldResult Runtime::hold() noexcept {
  RunningThread::mine().enter(*this);
  set_times(-1);
  for (const RateIndex r : due_.indices()) due_[r] = held_ % schedule_.dividers[r] == 0 ? 1 : 0;
  ++held_;
  measure();
  const bool known = safety_.hold();
  emit();
  lost_ = false;
  find_cause();
  if (cause_ == Cause::limit || cause_ == Cause::device || control_.verdict == HILDA_FAIL) return HoldResult::failed;
  return known ? HoldResult::holding : HoldResult::rest_unknown;
}

} // namespace hilda::run
