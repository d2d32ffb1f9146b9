// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/paced/paced_loop.h"

#include "engine/plugin/running_code.h"
#include "engine/run/loop_trap.h"
#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace hilda::session {
namespace {

constexpr std::size_t most_overruns_kept = 64;
constexpr std::size_t most_late_kept = std::size_t{1} << 16;
/// s that a device may take to say where it is.
constexpr double longest_silence = 10;

const char* running_block(void* runtime) { return static_cast<const Runtime*>(runtime)->running(); }

/// {"robot.command_pose": ["0x1p-1", ...]}: exact, whatever reads it.
std::string rest_text(const std::vector<GateView>& gates) {
  std::string text = "{";
  for (const GateView& gate : gates) {
    if (gate.rest.empty()) continue;
    text += fmt::format("{}\"{}\": [", text.size() > 1 ? ", " : "", gate.input);
    for (std::size_t i = 0; i < gate.rest.size(); ++i)
      text += fmt::format("{}\"{:a}\"", i > 0 ? ", " : "", gate.rest[i]);
    text += "]";
  }
  return text + "}";
}

} // namespace

const char* state_name(OperatorState state) {
  switch (state) {
  case OperatorState::idle: return "idle";
  case OperatorState::armed: return "armed";
  case OperatorState::running: return "running";
  case OperatorState::stopping: return "stopping";
  case OperatorState::ended: return "ended";
  }
  return "";
}

PacedLoop::PacedLoop(Runtime& runtime, Recorder* recorder, BlockTimer& timer, RealtimeSignals& signals,
                     const LoopClock& clock, const LoopOptions& options)
    : runtime_(runtime), ticks_(runtime, true), recorder_(recorder), timer_(timer), signals_(signals), clock_(clock),
      options_(options), last_(ticks_in(options.duration, runtime.base())), pacing_block_(clock.block()) {
  overruns_kept.reserve(most_overruns_kept);
  late_replies.reserve(most_late_kept);
  if (options_.operated) look_.bind(runtime_, options_.look);
}

void PacedLoop::run() {
  RunningThread::mine(); // allocates on a thread's first call, so not in the loop
  clock_.start();
  const std::int64_t start = monotonic_ns();
  if (!options_.operated || hold()) {
    moved = true;
    enter(OperatorState::running);
    run_ticks();
  }
  ticks_.conclude(result);
  result.wall_time = seconds_of(monotonic_ns() - start);
  enter(OperatorState::ended);
}

/// Keeps the devices where they are. True: they are, and the first tick may follow; false: it may not.
bool PacedLoop::hold() {
  enter(OperatorState::idle);
  if (options_.armed) enter(OperatorState::armed);
  bool held = false;
  {
    const LoopTrap trap(&running_block, &runtime_);
    while (!over_ && !(held && options_.armed && look_.done())) {
      const Beat beat = clock_.wait();
      if (asked_to_end()) break;
      held = hold_cycle(beat);
      look_at_channels(held);
    }
  }
  if (over_) return false;
  if (!meets_quality(look_.results(), runtime_.system())) {
    refuse("a measured channel is not what <quality> asks for, so nothing was moved", {});
    return false;
  }
  note_rest();
  return true;
}

bool PacedLoop::hold_cycle(const Beat& beat) {
  const auto patience = static_cast<std::int64_t>(longest_silence / runtime_.base().value());
  if (beat.kind == Beat::Kind::gone) {
    refuse("the device that paces the loop is gone", pacing_block_);
    return false;
  }
  if (!options_.armed) {
    ++cycles;
    view.ticks.store(cycles, std::memory_order_relaxed);
  }
  if (beat.kind == Beat::Kind::late) {
    view.lost.store(++lost, std::memory_order_relaxed);
    if (++waits_ > patience) refuse("the device that paces the loop sends nothing", pacing_block_);
    return false;
  }
  switch (runtime_.hold()) {
  case Runtime::HoldResult::holding: waits_ = 0; break;
  case Runtime::HoldResult::rest_unknown:
    if (++waits_ > patience) refuse("a device does not say where it is, so nothing can start there", {});
    return false;
  case Runtime::HoldResult::failed: end_early(); return false;
  }
  if (!options_.armed) measure_reply(beat);
  return true;
}

void PacedLoop::look_at_channels(bool held) noexcept {
  held ? look_.sample() : look_.miss();
  if (look_.done()) view.looked.store(true, std::memory_order_release);
}

void PacedLoop::note_rest() {
  if (recorder_ == nullptr) return;
  recorder_->event(0, "rest", rest_text(runtime_.gates()));
}

void PacedLoop::run_ticks() noexcept {
  const LoopTrap trap(&running_block, &runtime_);
  lost = 0; // of the cycles before
  timed_ = runtime_.timed();
  if (timed_) runtime_.send_by(this);
  while (!over_) tick();
  if (options_.operated) runtime_.leave();
  runtime_.send_by(nullptr);
}

/// What the clock says of the samples before this tick. Before the first one everything was at rest.
void PacedLoop::tell_pace(const Beat& beat) noexcept {
  if (!timed_) return;
  const Pace pace{ticks_.done() > 0 ? beat.periods : 1, overdue_};
  runtime_.pace(pace);
  signals_.periods = pace.periods, signals_.overdue = pace.overdue;
  if (overdue_ > 0) ++lost;
  send_at_ = clock_.block().valid() && !device_gone_ ? beat.woke : beat.begin;
  overdue_ = 0;
}

std::int64_t PacedLoop::overdue() noexcept {
  overdue_ = std::max<std::int64_t>((monotonic_ns() - send_at_ + clock_.period() / 2) / clock_.period(), 0);
  return overdue_;
}

Beat PacedLoop::next_beat() noexcept {
  Beat beat = clock_.wait();
  if (beat.kind == Beat::Kind::gone) {
    if (recorder_ != nullptr) recorder_->event(runtime_.tick(), "gone", "the device that paces the loop is gone");
    runtime_.request_failure("the device that paces the loop is gone", pacing_block_);
    clock_.lose_device();
    device_gone_ = true;
  }
  if (device_gone_) beat.kind = Beat::Kind::late;
  return beat;
}

void PacedLoop::tick() noexcept {
  const Beat beat = next_beat();
  if (asked_to_end()) return;
  if (options_.tuning != nullptr) options_.tuning->take(recorder_);
  const std::int64_t tick = runtime_.tick();
  const bool lost_cycle = beat.kind != Beat::Kind::came;
  if (lost_cycle) runtime_.cycle_lost();
  lost += lost_cycle ? 1 : beat.missed;
  signals_.lost = lost_cycle || beat.missed > 0 || overdue_ > 0 ? 1 : 0;
  tell_pace(beat);
  timer_.begin_tick();
  over_ = !ticks_.next([this, &beat](std::int64_t computed) {
    measure_reply(beat);
    record(computed);
  });
  measure_tick(beat, tick);
  if (options_.operated && runtime_.stopping() && view.state.load(std::memory_order_relaxed) == OperatorState::running)
    enter(OperatorState::stopping);
}

/// Looks at the time and at the operator, between two ticks. True: the loop is over.
bool PacedLoop::asked_to_end() noexcept {
  const auto set = [](const std::atomic<bool>* flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
  };
  if (set(options_.hurry)) {
    result.reason = SimulationResult::Reason::interrupted;
    over_ = true;
    if (options_.operated && moved) runtime_.let_go();
  } else if (!asked_ && !runtime_.stopping()) {
    const std::int64_t done = options_.operated && !moved ? cycles : ticks_.done();
    if (done >= last_) end_by(SimulationResult::Reason::duration, "its time was over");
    if (!asked_ && set(options_.interrupt)) end_by(SimulationResult::Reason::interrupted, "the operator stopped it");
    if (const char* fault = fault_.load(std::memory_order_acquire); fault != nullptr && !asked_) fail_by(fault);
  }
  return over_;
}

void PacedLoop::end_by(SimulationResult::Reason reason, const char* text) noexcept {
  asked_ = true;
  result.reason = reason;
  if (!options_.operated || !moved) {
    over_ = true;
    return;
  }
  if (recorder_ != nullptr) recorder_->event(runtime_.tick(), "stop", text);
  runtime_.request_stop(text);
}

void PacedLoop::fail_by(const char* text) noexcept {
  if (!moved) return refuse(text, {});
  if (recorder_ != nullptr) recorder_->event(runtime_.tick(), "stop", text);
  runtime_.request_failure(text);
}

void PacedLoop::measure_reply(const Beat& beat) noexcept {
  const bool came = beat.kind == Beat::Kind::came;
  const std::int64_t now = monotonic_ns();
  const std::int64_t took = came ? now - beat.begin : 0;
  signals_.jitter = came ? seconds_of(beat.jitter) : 0;
  signals_.reply = seconds_of(took);
  signals_.late = took > clock_.period() ? 1 : 0;
  signals_.compute = seconds_of(worked_ + now - beat.woke);
  replied_ = now;
  if (!came) return;
  jitter.add(std::abs(beat.jitter));
  reply.add(took);
  if (took > view.slowest_reply.load(std::memory_order_relaxed))
    view.slowest_reply.store(took, std::memory_order_relaxed);
  if (signals_.late == 0) return;
  view.late.store(++late, std::memory_order_relaxed);
  if (late_replies.size() < late_replies.capacity()) late_replies.push_back({beat.begin, now});
}

void PacedLoop::measure_tick(const Beat& beat, std::int64_t tick) noexcept {
  const std::int64_t now = monotonic_ns();
  worked_ = now - replied_;
  compute.add(now - beat.woke);
  view.ticks.store(++cycles, std::memory_order_relaxed);
  view.lost.store(lost, std::memory_order_relaxed);
  const std::int64_t took = now - (beat.kind == Beat::Kind::came ? beat.begin : beat.woke);
  if (took <= clock_.period()) return;
  view.overruns.store(++overruns, std::memory_order_relaxed);
  if (overruns_kept.size() < overruns_kept.capacity())
    overruns_kept.push_back(
        {.tick = tick, .took = took, .slowest = timer_.slowest(), .elsewhere = took - timer_.total()});
}

void PacedLoop::record(std::int64_t tick) noexcept {
  if (recorder_ == nullptr) return;
  timer_.publish();
  if (recorder_->record(tick) == RecordStatus::no_room) ++unrecorded;
}

void PacedLoop::enter(OperatorState state) noexcept {
  view.state.store(state, std::memory_order_relaxed);
  if (recorder_ != nullptr) recorder_->event(runtime_.tick(), "state", state_name(state));
}

void PacedLoop::end_early() {
  over_ = true;
  ticks_.refuse();
}

/// Ends before the first tick.
void PacedLoop::refuse(const char* text, BlockIndex block) {
  runtime_.request_failure(text, block);
  end_early();
}

} // namespace hilda::session
