// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/replay.h"

#include "engine/base/word_list.h"
#include "engine/session/run_log.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>

namespace hilda::session {
namespace {

/// Empty, or why not.
std::string set_as_recorded(Tuning& tuning, const std::string& text, Recorder* recorder, Tuning::Rates rates) {
  const std::optional<std::vector<LiveSetting>> settings = settings_from_text(text);
  if (!settings) return "the log's text for it is not a list of settings";
  Diagnostics diagnostics;
  return tuning.set(*settings, recorder, diagnostics, {}, rates) ? "" : diagnostics.text();
}

} // namespace

/// Where the log has a signal of this name and size.
std::optional<SignalPlace> Replay::place_of(const SystemSignal& signal) const {
  const std::optional<SignalPlace> place = log_.find(signal.path);
  if (!place || log_.schema().channels[place->channel].fields[place->field].bytes() != signal.span.bytes())
    return std::nullopt;
  return place;
}

void Replay::take(const SignalPlace& place, const SystemSignal& signal) {
  const LogChannel& channel = log_.schema().channels[place.channel];
  measurements_[place.channel].push_back(
      {sample_layout(channel).offsets[place.field], signal.span.data, signal.span.bytes()});
  open_loop_ = true;
}

/// The log has other outputs of this block and not this one: it is of an older driver, which did not measure it. It
/// then stays at zero, by which a block must behave as it did without.
bool Replay::recorded_in_part(const SystemSignal& signal) const {
  const std::string& block = system_->blocks[signal.block].path;
  const auto& channels = log_.schema().channels;
  return std::any_of(channels.begin(), channels.end(), [&](const LogChannel& each) { return each.path == block; });
}

std::string Replay::bind_measurements(const Runtime& runtime) {
  system_ = &runtime.system();
  std::string missing;
  for (const SystemSignal& signal : runtime.signals()) {
    const Slot& slot = runtime.memory().layout(signal.block).slots[signal.slot];
    if (!slot.is(HILDA_MEASUREMENT)) continue;
    if (const std::optional<SignalPlace> place = place_of(signal))
      take(*place, signal);
    else if (log_.find(signal.path) || !recorded_in_part(signal))
      add_word(missing, signal.path);
  }
  return missing.empty() ? missing : "the log has no measurements for " + missing;
}

/// Not every sample of it is in the log, since its diagram chose what is kept.
bool Replay::thinned(const Runtime& runtime, const SystemSignal& signal) const {
  const Slot& slot = runtime.memory().layout(signal.block).slots[signal.slot];
  const SystemBlock& block = runtime.system().blocks[signal.block];
  const std::optional<SignalPlace> place = place_of(signal);
  if (!place) return log_.schema().metadata.contains("signals") && !slot.is(HILDA_UNRECORDED);
  const LogChannel& channel = log_.schema().channels[place->channel];
  return !channel.when.empty() || channel.divider > (block.continuous ? 1 : block.divider);
}

/// A block of the rig of which an output was not recorded continues running, on what was recorded of the others.
std::string Replay::bind_rig(const Runtime& runtime, const std::string& rig) {
  for (const BlockIndex b : replaced_.indices()) replaced_[b] = runtime.system().blocks[b].path.starts_with(rig + ".");
  for (const SystemSignal& signal : runtime.signals())
    if (replaced_[signal.block] && thinned(runtime, signal))
      return "it keeps " + signal.path +
             " in part or not at all, so it cannot replace the rig; run again with --log-all";
  for (const SystemSignal& signal : runtime.signals())
    if (!place_of(signal)) replaced_[signal.block] = false;
  for (const SystemSignal& signal : runtime.signals())
    if (replaced_[signal.block]) take(*place_of(signal), signal);
  return {};
}

void Replay::call(const Call& call, const hilda_tick* tick) {
  if (!replaced_[call.block]) call.single(call.first, tick);
}

std::string Replay::bind(Runtime& runtime, const std::string& rig) {
  const LogSchema& schema = log_.schema();
  if (schema.period != runtime.base())
    return "the log has ticks of " + schema.period.text() + " s, the diagram of " + runtime.base().text() + " s";
  measurements_.assign(schema.channels.size(), {});
  samples_.resize(schema.channels.size());
  replaced_.assign(runtime.system().blocks.size(), false);
  if (std::string missing = bind_measurements(runtime); !missing.empty()) return missing;
  if (!rig.empty())
    if (std::string misfit = bind_rig(runtime, rig); !misfit.empty()) return misfit;
  for (const LogChannel& channel : schema.channels)
    if (channel.when.empty()) dividers_.insert(channel.divider);
  for (const GateView& gate : runtime.gates()) {
    const auto rest = recorded_.rest.find(gate.input);
    if (rest != recorded_.rest.end() && !runtime.set_rest(gate.input, rest->second))
      return "where " + gate.input + " was at rest does not fit the diagram's input";
  }
  if (recorded_.device_clock) lost_ = log_.find("realtime.lost");
  if (lost_) lost_offset_ = sample_layout(schema.channels[lost_->channel]).offsets[lost_->field];
  if (runtime.timed()) periods_ = log_.find("realtime.periods"), overdue_ = log_.find("realtime.overdue");
  log_.rewind();
  return {};
}

/// Buffers all samples of the log's next tick; false at its end.
bool Replay::read_tick() {
  for (const std::size_t channel : order_) samples_[channel].clear();
  order_.clear();
  if (at_end_) return false;
  const auto keep = [this](const Log::Sample& sample) {
    tick_ = sample.tick;
    samples_[sample.channel].assign(sample.data.begin(), sample.data.end());
    order_.push_back(sample.channel);
  };
  if (have_ahead_) {
    ahead_.data = ahead_data_;
    keep(ahead_);
    have_ahead_ = false;
  }
  Log::Sample sample;
  while (log_.next(sample)) {
    if (!order_.empty() && sample.tick != tick_) {
      ahead_data_.assign(sample.data.begin(), sample.data.end());
      ahead_ = sample;
      have_ahead_ = true;
      return true;
    }
    keep(sample);
  }
  at_end_ = true;
  return !order_.empty();
}

bool Replay::acquire(std::int64_t tick) noexcept {
  // where the log keeps nothing there is nothing to be taken; a measurement would be due
  if (tick != tick_) return !due(tick);
  for (const std::size_t channel : order_)
    for (const Piece& piece : measurements_[channel])
      std::memcpy(piece.target, samples_[channel].data() + piece.offset, piece.bytes);
  return true;
}

bool Replay::lost() const {
  return lost_ && !samples_[lost_->channel].empty() &&
         std::to_integer<int>(samples_[lost_->channel][lost_offset_]) != 0;
}

std::int64_t Replay::whole(const SignalPlace& place) const {
  std::int64_t number = 0;
  const std::size_t offset = sample_layout(log_.schema().channels[place.channel]).offsets[place.field];
  std::memcpy(&number, samples_[place.channel].data() + offset, sizeof number);
  return number;
}

/// How the tick was to the clock. None in logs of versions that did not say it.
std::optional<Pace> Replay::pace() const {
  if (!periods_ || !overdue_ || samples_[periods_->channel].empty()) return std::nullopt;
  return Pace{whole(*periods_), whole(*overdue_)};
}

/// What came from outside before this tick.
void Replay::intervene(Runtime& runtime, Recorder* recorder, Ending& result) {
  for (; next_intervention_ < recorded_.interventions.size(); ++next_intervention_) {
    const RecordedRun::Intervention& next = recorded_.interventions[next_intervention_];
    if (next.tick > runtime.tick()) break;
    if (next.kind == RecordedRun::Intervention::Kind::set) {
      if (const std::string refused = set_as_recorded(*tuning_, next.text, recorder, Tuning::Rates::kept);
          !refused.empty())
        result.gap = "what was set before tick " + std::to_string(next.tick) + " is refused now: " + refused;
    } else if (next.kind == RecordedRun::Intervention::Kind::numbers) {
      const std::string refused =
          next.inputs.empty() ? tuning_->write_recorded(next.text) : tuning_->write_recorded(next.inputs);
      if (!refused.empty())
        result.gap = "what was written before tick " + std::to_string(next.tick) + " is refused now: " + refused;
    } else if (next.kind == RecordedRun::Intervention::Kind::gone)
      runtime.request_failure(next.text.c_str());
    else
      runtime.request_stop(next.text.c_str());
  }
  do { // all numbers of a tick are one change
    if (recorder != nullptr) recorder->wait_for_room();
    tuning_->take(recorder);
  } while (recorder != nullptr && tuning_->numbers_wait());
}

bool Replay::due(std::int64_t tick) const {
  return std::any_of(dividers_.begin(), dividers_.end(), [tick](std::int64_t each) { return tick % each == 0; });
}

/// How many ticks the run had, the one in which it failed among them; 0 where the log is cut.
std::int64_t Replay::ticks_of_run() const {
  const auto steps = log_.end().find("steps"), reason = log_.end().find("reason");
  if (steps == log_.end().end() || reason == log_.end().end()) return 0;
  const bool failed = reason->second == reason_name(SimulationResult::Reason::failed);
  return std::strtoll(steps->second.c_str(), nullptr, 10) + (failed ? 1 : 0);
}

/// One tick, compared with what the log has of it.
void Replay::step(Runtime& runtime, RunTicks& ticks, Recorder* recorder, Comparison& comparison, Ending& result) {
  const std::int64_t tick = runtime.tick();
  ++result.recorded_ticks;
  intervene(runtime, recorder, result);
  if (tick == tick_ && lost()) runtime.cycle_lost();
  if (tick == tick_)
    if (const std::optional<Pace> told = pace()) runtime.pace(*told);
  ticks.next([&](std::int64_t computed) {
    if (computed == tick_)
      for (const std::size_t channel : order_) comparison.look(channel, tick_, samples_[channel]);
    if (recorder == nullptr) return;
    recorder->wait_for_room();
    recorder->record(computed);
  });
}

/// Ticks of which the log keeps nothing, before `to`. False where it should have some.
bool Replay::catch_up(Runtime& runtime, RunTicks& ticks, Recorder* recorder, Comparison& comparison, std::int64_t to,
                      Ending& result) {
  while (!ticks.ended() && runtime.tick() < to && !due(runtime.tick()))
    step(runtime, ticks, recorder, comparison, result);
  return ticks.ended() || runtime.tick() == to;
}

std::string Replay::begin(Runtime& runtime, Tuning& tuning) {
  for (const std::string& text : recorded_.live)
    if (const std::string refused = set_as_recorded(tuning, text, nullptr, Tuning::Rates::ignored); !refused.empty())
      return "what was set before it begins is refused now: " + refused;
  if (recorded_.begin && !runtime.restore(*recorded_.begin))
    return "it begins at tick " + std::to_string(recorded_.begin->tick) + " with a state of another diagram";
  return {};
}

Replay::Ending Replay::run(Runtime& runtime, Tuning& tuning, Recorder* recorder, Comparison& comparison,
                           const std::atomic<bool>* interrupt) {
  const auto start = std::chrono::steady_clock::now();
  Ending result;
  tuning_ = &tuning;
  const std::int64_t first = runtime.tick();
  RunTicks ticks(runtime, recorded_.hardware, first);
  while (!ticks.ended() && result.gap.empty() && read_tick()) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) {
      result.run.reason = SimulationResult::Reason::interrupted;
      break;
    }
    if (!catch_up(runtime, ticks, recorder, comparison, tick_, result)) {
      result.gap = "the log has tick " + std::to_string(tick_) + " where " + std::to_string(runtime.tick()) +
                   " should follow: what lies in between is missing";
      break;
    }
    if (!ticks.ended()) step(runtime, ticks, recorder, comparison, result);
  }
  if (at_end_ && order_.empty()) catch_up(runtime, ticks, recorder, comparison, ticks_of_run(), result);
  if (ticks.ended()) {
    result.run.reason = SimulationResult::Reason::interrupted; // where the log's own operator had asked for the end
    result.other_end = tick_ >= first + result.recorded_ticks || read_tick();
  }
  ticks.conclude(result.run);
  result.run.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace hilda::session
