// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/loop_clock.h"

#include "engine/base/error.h"
#include "engine/log/log_format.h"
#include "engine/quantity/value.h"
#include "engine/run/pacing.h"
#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hilda::session {
namespace {

/// Periods within this fraction of each other are equal: a device's is a double, the diagram's a fraction.
constexpr double same = 1e-9;

bool touches_world(const hilda_block_type& type) { return type.acquire != nullptr || type.emit != nullptr; }

std::string milliseconds(double seconds) { return decimal(std::round(seconds * 1e9) / 1e6) + " ms"; }

void report_two(const SystemBlock& first, const SystemBlock& second, Diagnostics& diagnostics) {
  diagnostics.error(
      "clock-twice", second.where,
      in_quotes(second.path) + " would pace the loop, but " + in_quotes(first.path) + " does already",
      "a loop has one clock: configure one of the devices so that it paces nothing, or run each in its own diagram",
      {{first.where, "the other clock is here"}});
}

void check_period(const Runtime& runtime, const SystemBlock& block, double cycle, Diagnostics& diagnostics) {
  const double base = runtime.base().value();
  if (std::abs(cycle - base) > same * base)
    diagnostics.error("clock-period", block.where,
                      "the cycle of " + in_quotes(block.path) + ", which paces the loop, is " + milliseconds(cycle) +
                          ", but a tick of the diagram is " + milliseconds(base),
                      "give the diagram, or its rig, period=\"" + milliseconds(cycle) +
                          "\" and no block a sample time below it, or configure the device otherwise",
                      {{runtime.system().where, "the diagram's period is given here"}});
  else if (block.divider != 1)
    diagnostics.error("clock-period", block.where,
                      in_quotes(block.path) + " paces the loop, but runs in one of " + std::to_string(block.divider) +
                          " ticks only",
                      "remove the sample_time of the block and of the subsystems around it");
}

std::int64_t patience_of(const PacingBlock& device) {
  const hilda_clock_1& clock = *device.clock;
  constexpr std::size_t needed = offsetof(hilda_clock_1, patience) + sizeof clock.patience;
  if (clock.size < needed || clock.patience == nullptr) return 0;
  return std::max<std::int64_t>(clock.patience(device.record), 0);
}

} // namespace

bool touches_world(const System& system) {
  return std::any_of(system.blocks.begin(), system.blocks.end(),
                     [](const SystemBlock& block) { return touches_world(*block.type->abi); });
}

bool moves_something(const System& system) {
  const auto moves = [](const SystemBlock& block) {
    const auto& slots = block.type->slots;
    return touches_world(*block.type->abi) &&
           std::any_of(slots.begin(), slots.end(), [](const Slot& slot) { return slot.is(HILDA_ACTUATION); });
  };
  return std::any_of(system.blocks.begin(), system.blocks.end(), moves);
}

std::optional<PacingBlock> find_pacing_block(Runtime& runtime, Diagnostics& diagnostics) {
  std::optional<PacingBlock> found;
  for (const BlockIndex block : runtime.system().blocks.indices()) {
    const hilda_clock_1* clock = clock_of(runtime.memory(), block);
    if (clock == nullptr) continue;
    void* const record = runtime.memory().record(block);
    const double cycle = clock->period(record);
    const SystemBlock& asking = runtime.system().blocks[block];
    if (found) {
      report_two(runtime.system().blocks[found->block], asking, diagnostics);
      continue;
    }
    check_period(runtime, asking, cycle, diagnostics);
    found = PacingBlock{block, clock, record};
  }
  return found;
}

LoopClock::LoopClock(const Rational& period, const std::optional<PacingBlock>& device)
    : period_(period), period_ns_(nanoseconds_at(period, 1)), device_(device),
      patience_(device ? patience_of(*device) : 0) {}

void LoopClock::start() noexcept {
  start_ = last_ = counted_ = monotonic_ns();
  cycle_ = lost_ = 0;
  arrived_ = false;
}

std::int64_t LoopClock::due(std::int64_t cycle) const noexcept { return start_ + nanoseconds_at(period_, cycle); }

Beat LoopClock::wait() noexcept { return device_ ? wait_for_device() : wait_for_timer(); }

Beat LoopClock::wait_for_timer() noexcept {
  Beat beat;
  const std::int64_t next = cycle_ + 1;
  const std::int64_t now = monotonic_ns();
  cycle_ = next;
  if (now > due(next)) {
    cycle_ += (now - due(next)) / period_ns_;
    while (due(cycle_) < now) ++cycle_; // periods of a fraction of a nanosecond
  }
  beat.missed = cycle_ - next;
  beat.periods = beat.missed + 1;
  beat.begin = due(cycle_);
  sleep_until(beat.begin);
  beat.woke = monotonic_ns();
  beat.jitter = beat.woke - beat.begin;
  return beat;
}

Beat LoopClock::wait_for_device() noexcept {
  Beat beat;
  std::int64_t deadline = last_ + period_ns_ / 2 + (lost_ + patience_ + 1) * period_ns_;
  // After a stall of this process the silence is not the device's: it gets the time to speak.
  if (patience_ > 0) deadline = std::max(deadline, monotonic_ns() + period_ns_);
  hilda_cycle cycle{};
  cycle.size = sizeof cycle;
  const std::int32_t answer = device_->clock->wait(device_->record, deadline, &cycle);
  beat.woke = monotonic_ns();
  beat.periods = periods_to(beat.woke);
  if (answer == HILDA_CYCLE_CAME) {
    // The first arrival has no interval before it; later ones are compared with the nearest number of whole periods.
    const std::int64_t interval = cycle.arrival - last_;
    const std::int64_t periods = std::max<std::int64_t>((interval + period_ns_ / 2) / period_ns_, 1);
    beat.jitter = arrived_ ? interval - periods * period_ns_ : 0;
    beat.begin = last_ = cycle.arrival;
    lost_ = 0;
    arrived_ = true;
    return beat;
  }
  beat.kind = answer == HILDA_CYCLE_LATE ? Beat::Kind::late : Beat::Kind::gone;
  beat.begin = patience_ > 0 ? std::min(deadline, beat.woke) : deadline; // LATE may come at once
  ++lost_;
  return beat;
}

std::int64_t LoopClock::periods_to(std::int64_t woke) noexcept {
  const std::int64_t periods = (woke - counted_ + period_ns_ / 2) / period_ns_;
  if (periods > 0) counted_ = woke;
  return periods;
}

void LoopClock::lose_device() noexcept {
  device_.reset();
  start_ = monotonic_ns();
  cycle_ = 0;
}

} // namespace hilda::session
