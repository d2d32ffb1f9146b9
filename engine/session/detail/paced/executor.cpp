// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/executor.h"

#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hilda::session {
namespace {

constexpr auto look_every = std::chrono::milliseconds(5);
constexpr std::int64_t progress_every = second_ns / 10, look_at_memory_every = second_ns / 10;

PacedProgress progress_of(PacedLoop::View& view, const Rational& base) {
  constexpr auto relaxed = std::memory_order_relaxed;
  PacedProgress now;
  now.state = view.state.load(relaxed);
  now.ticks = view.ticks.load(relaxed);
  now.time = static_cast<double>(now.ticks) * base.value();
  now.lost = view.lost.load(relaxed);
  now.late = view.late.load(relaxed);
  now.overruns = view.overruns.load(relaxed);
  now.slowest_reply = seconds_of(view.slowest_reply.exchange(0, relaxed));
  return now;
}

/// Reports what plugins have changed; `first` is the first of it, and lives as long as the run.
void report_taken(LoopWatch& watch, const PacedOptions& options, std::string& first) {
  for (const std::string& text : watch.found()) {
    if (first.empty()) first = text;
    if (options.taken) options.taken(text);
  }
}

/// A block that writes beyond its memory ends the run; the loop receives the first words.
void look_at_memory(PacedLoop& loop, const Runtime& runtime, std::string& words) {
  if (!words.empty()) return;
  words = runtime.overrun_words();
  if (!words.empty()) loop.fail(words.c_str());
}

/// Waits for the loop's thread at normal priority, shows how far it is and keeps the way to stop it open.
void attend(PacedLoop& loop, const std::atomic<bool>& done, const Runtime& runtime, const PacedOptions& options,
            LoopWatch& watch, Taken& taken) {
  LoopWatch::Piece watched(&watch, LoopWatch::Piece::Thread::other);
  bool told = !options.looked;
  for (std::int64_t shown = 0, looked = 0; !done.load(std::memory_order_acquire);) {
    std::this_thread::sleep_for(look_every);
    if (watched.look()) {
      report_taken(watch, options, taken.process);
      if (options.loop.operated) loop.fail(taken.process.c_str());
    }
    if (monotonic_ns() - looked >= look_at_memory_every)
      look_at_memory(loop, runtime, taken.memory), looked = monotonic_ns();
    if (!told && loop.view.looked.load(std::memory_order_acquire)) told = true, options.looked(loop.look());
    if (!options.progress || monotonic_ns() - shown < progress_every) continue;
    shown = monotonic_ns();
    options.progress(progress_of(loop.view, runtime.base()));
  }
  if (!told && loop.view.looked.load(std::memory_order_acquire)) options.looked(loop.look());
}

/// Nothing moves any more; a run that has failed already keeps its cause.
void fail(SimulationResult& result, const std::string& text) {
  if (result.reason == SimulationResult::Reason::failed) return;
  result.reason = SimulationResult::Reason::failed;
  result.ending.kind = Ending::Kind::failed;
  result.ending.text = text;
}

void judge_late_replies(const PacedLoop& loop, const Witness* witness, RealtimeFigures& figures) {
  figures.late = loop.late;
  if (witness == nullptr) return;
  figures.witnessed = true;
  figures.witness = witness->lateness();
  figures.witness_late = std::count_if(loop.late_replies.begin(), loop.late_replies.end(),
                                       [&](const TimeSpan& reply) { return witness->waited_within(reply); });
  figures.late -= figures.witness_late;
}

} // namespace

bool Executor::prepare(Runtime& runtime, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  timer_.bind(runtime.system().blocks.size());
  pacing_ = find_pacing_block(runtime, diagnostics);
  return diagnostics.errors() == errors_before;
}

Refusals Executor::claim_rights(const RealtimeSettings& settings) {
  Refusals refusals = LoopThread::probe(settings);
  locked_ = std::make_unique<LockedMemory>();
  refusals.insert(refusals.end(), locked_->refusals().begin(), locked_->refusals().end());
  return refusals;
}

std::vector<LogChannelSource> Executor::channels(const Runtime& runtime, bool block_times) const {
  std::vector<LogChannelSource> made;
  if (block_times) made = block_time_channels(runtime.system(), timer_);
  made.insert(made.begin(), realtime_channel(signals_));
  return made;
}

std::string Executor::clock_name(const Runtime& runtime) const {
  return pacing_ ? runtime.system().blocks[pacing_->block].path : "timer";
}

PacedResult Executor::run(Runtime& runtime, Recorder* recorder, const PacedOptions& options) {
  PacedLoop loop(runtime, recorder, timer_, signals_, LoopClock(runtime.base(), pacing_), options.loop);
  std::unique_ptr<Witness> witness;
  if (options.witness) witness = std::make_unique<Witness>(options.thread);
  std::atomic<bool> done{false};
  LoopWatch watch;
  std::vector<std::string> of_thread;
  LoopThread thread(options.thread, [&] {
    const ThreadState before = ThreadState::current();
    loop.run();
    of_thread = before.put_back();
    done.store(true, std::memory_order_release);
  });
  if (!thread.made()) {
    loop.result.reason = SimulationResult::Reason::failed;
    loop.result.ending.kind = Ending::Kind::failed;
    loop.result.ending.text = thread.refusals().front();
    done = true;
  }
  attend(loop, done, runtime, options, watch, taken_);
  thread.join();
  if (witness) witness->stop();
  watch.add(of_thread);
  report_taken(watch, options, taken_.process);
  if (options.loop.operated && !taken_.process.empty()) fail(loop.result, taken_.process);

  PacedResult result{std::move(loop.result), loop.moved, {}};
  RealtimeFigures& figures = result.figures;
  figures.period = runtime.base().value();
  figures.clock = clock_name(runtime);
  figures.ticks = loop.cycles;
  figures.lost = loop.lost;
  figures.overruns = loop.overruns;
  figures.jitter = loop.jitter;
  figures.reply = loop.reply;
  figures.compute = loop.compute;
  figures.overruns_kept = std::move(loop.overruns_kept);
  figures.log_unrecorded = loop.unrecorded;
  figures.log_dropped = recorder != nullptr ? static_cast<std::int64_t>(recorder->lost()) : 0;
  judge_late_replies(loop, witness.get(), figures);
  return result;
}

} // namespace hilda::session
