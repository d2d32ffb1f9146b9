// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/live_simulation.h"

#include "engine/session/find_input.h"
#include "engine/session/timed_change.h"

#include <algorithm>
#include <limits>

namespace hilda::session {

LiveSimulation::LiveSimulation(BuiltDiagram diagram, Recorder* recorder, std::optional<double> duration,
                               const std::atomic<bool>* interrupt, Hooks hooks, bool keep_past)
    : runtime_(std::move(diagram.runtime)), tuning_(std::make_unique<Tuning>(*runtime_)), recorder_(recorder),
      duration_(duration), until_(duration), interrupt_(interrupt), hooks_(std::move(hooks)), keep_past_(keep_past),
      timed_(std::move(diagram.timed)) {}

/// Where run_to has something else to do than to run.
std::int64_t LiveSimulation::next_pause(std::int64_t tick) const {
  std::int64_t pause = tick;
  if (timeline_ && timeline_->due() > runtime_->tick()) pause = std::min(pause, timeline_->due());
  if (next_timed_ < timed_.size()) pause = std::min(pause, timed_[next_timed_].tick);
  return pause;
}

bool LiveSimulation::take_timed(Diagnostics& diagnostics) {
  for (; next_timed_ < timed_.size() && timed_[next_timed_].tick <= runtime_->tick(); ++next_timed_) {
    const TimedChange& change = timed_[next_timed_];
    if (change.tick < runtime_->tick()) continue;
    if (take_timed_change(*tuning_, change, recorder_, diagnostics)) continue;
    ++next_timed_;
    return false;
  }
  return true;
}

const SimulationResult& LiveSimulation::run_to(std::int64_t tick, Diagnostics& diagnostics) {
  if (keep_past_ && !timeline_) timeline_ = std::make_unique<Timeline>(*runtime_, *tuning_);
  SimulationOptions options;
  options.duration = until_;
  options.interrupt = interrupt_;
  options.tuning = tuning_.get();
  options.progress = hooks_.progress;
  options.watch = &watch_;
  const double before = result_.wall_time;
  double wall_time = before;
  while (!ended_) {
    if (timeline_) timeline_->note();
    if (runtime_->tick() < last() && !take_timed(diagnostics)) break;
    if (runtime_->tick() >= std::min(tick, last())) break;
    options.until = next_pause(tick);
    result_ = simulate(*runtime_, recorder_, options);
    wall_time += result_.wall_time;
    ended_ = result_.ending.kind != Ending::Kind::none;
    if (result_.reason == SimulationResult::Reason::interrupted) break;
  }
  result_.wall_time = wall_time;
  watch_.report(runtime_->system().where, diagnostics);
  findings_.report(*runtime_, diagnostics);
  return result_;
}

bool LiveSimulation::set(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                         std::vector<std::string>& anew, Location where) {
  const std::optional<LiveChange> looked = tuning_->look(settings, diagnostics, where);
  if (!looked) return false;
  if (looked->needs == ChangeNeeds::nothing) {
    if (!tuning_->set(settings, recorder_, diagnostics, where)) return false;
    asked_.push_back({runtime_->tick(), settings});
    return true;
  }
  if (!rebuild(settings, diagnostics, anew)) return false;
  not_repeatable_ = "what changes only while the loop is paused was set at t = " + decimal(time()) + " s";
  return true;
}

std::string LiveSimulation::back_to(std::int64_t tick) {
  if (!timeline_) return "the run has not begun";
  if (!timeline_->obstacle().empty()) return timeline_->obstacle();
  if (tick < timeline_->begin()) {
    const std::string aim = tick < 0 ? std::to_string(-tick) + (tick == -1 ? " tick" : " ticks") + " before t = 0"
                                     : "tick " + std::to_string(tick);
    return "the run began at tick " + std::to_string(timeline_->begin()) + ", and the requested time is " + aim;
  }
  if (tick > runtime_->tick()) return "it has not come to tick " + std::to_string(tick) + " yet";
  const SimulationResult before = so_far();
  const LoopWatch::Piece watched(&watch_);
  if (!timeline_->go_to(tick)) return "tick " + std::to_string(tick) + " could not be made again";
  std::erase_if(asked_, [tick](const TakenChange& each) { return each.tick >= tick; });
  find_timed();
  ended_ = false;
  begin_log(before);
  return {};
}

/// What overlays set next.
void LiveSimulation::find_timed() {
  next_timed_ = static_cast<std::size_t>(
      std::find_if(timed_.begin(), timed_.end(), [this](const TimedChange& each) { return each.tick >= tick(); }) -
      timed_.begin());
}

void LiveSimulation::settle() {
  do {
    if (recorder_ != nullptr) recorder_->wait_for_room();
    tuning_->take(recorder_);
  } while (recorder_ != nullptr && tuning_->numbers_wait());
  tuning_->settle();
}

bool LiveSimulation::restore(const Checkpoint& checkpoint) {
  const SimulationResult before = so_far();
  settle();
  if (!runtime_->restore(checkpoint)) return false;
  timeline_.reset();
  tuning_->keep();
  find_timed();
  ended_ = false;
  not_repeatable_ = "the run continued from a checkpoint at t = " + decimal(time()) + " s";
  begin_log(before);
  return true;
}

bool LiveSimulation::reload(Diagnostics& diagnostics, std::vector<std::string>& anew) {
  if (!rebuild({}, diagnostics, anew)) return false;
  not_repeatable_ = "the diagram was reloaded at t = " + decimal(time()) + " s";
  return true;
}

bool LiveSimulation::rebuild(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                             std::vector<std::string>& anew) {
  common_ticks_ = 0;
  BuiltDiagram built = hooks_.build ? hooks_.build(settings, diagnostics) : BuiltDiagram{};
  std::unique_ptr<Runtime> next = std::move(built.runtime);
  if (next == nullptr) return false;
  auto tuning = std::make_unique<Tuning>(*next);
  settle(); // what was written last
  set_again(*tuning_, *tuning, anew);
  std::optional<std::vector<std::string>> fresh = next->take_over(*runtime_);
  if (!fresh) {
    common_ticks_ = (next->base() / runtime_->base()).numerator();
    diagnostics.error("live-tick", next->system().where,
                      "the run is at " + decimal(time()) + " s, where the changed diagram has no tick",
                      "step to a time that is a whole number of ticks of both");
    return false;
  }
  anew.insert(anew.end(), fresh->begin(), fresh->end());
  go_on_in(std::move(next), std::move(tuning), std::move(built.timed));
  return true;
}

bool LiveSimulation::restart(Diagnostics& diagnostics) {
  BuiltDiagram built = hooks_.build ? hooks_.build({}, diagnostics) : BuiltDiagram{};
  if (built.runtime == nullptr) return false;
  auto tuning = std::make_unique<Tuning>(*built.runtime);
  go_on_in(std::move(built.runtime), std::move(tuning), std::move(built.timed));
  until_ = duration_;
  ended_ = false;
  asked_.clear();
  not_repeatable_.clear();
  return true;
}

void LiveSimulation::go_on_as_long_again() {
  if (duration_) until_ = time() + *duration_;
}

void LiveSimulation::go_on_in(std::unique_ptr<Runtime> next, std::unique_ptr<Tuning> tuning,
                              std::vector<TimedChange> timed) {
  const SimulationResult before = so_far();
  if (hooks_.adopted) hooks_.adopted();
  timeline_.reset();
  tuning_->close();
  tuning_ = std::move(tuning);
  runtime_->stop();
  runtime_ = std::move(next);
  findings_.forget();
  timed_ = std::move(timed);
  find_timed();
  begin_log(before);
}

/// The result as it is, where nothing has ended it.
SimulationResult LiveSimulation::so_far() const {
  SimulationResult result = result_;
  if (!ended_ && tick() < last()) result.reason = SimulationResult::Reason::left;
  return result;
}

void LiveSimulation::begin_log(const SimulationResult& before) {
  if (hooks_.next_log) recorder_ = hooks_.next_log(*runtime_, tuning_->taken(), before);
  result_ = {};
  result_.wall_time = before.wall_time;
  result_.steps = runtime_->tick();
  result_.time = runtime_->time();
}

std::unique_ptr<Runtime> LiveSimulation::release() {
  tuning_->close();
  timeline_.reset();
  tuning_.reset();
  return std::move(runtime_);
}

std::string LiveSimulation::not_repeatable() const {
  if (!not_repeatable_.empty()) return not_repeatable_;
  const std::vector<TakenChange> taken = tuning_->taken();
  const bool written = std::any_of(taken.begin(), taken.end(), [](const TakenChange& each) { return each.by_numbers; });
  if (written && (!timeline_ || tuning_->numbers_begin() > 0))
    return "a program wrote numbers, and not all of them are remembered; the log has them: play it with "
           "sources/RecordedSignal";
  return {};
}

/// In the order in which it was taken.
std::vector<LiveSimulation::Step> LiveSimulation::steps(const std::vector<InputPast::Entry>& numbers) const {
  std::vector<Step> all;
  auto number = numbers.begin();
  const auto write_up_to = [&](std::size_t texts) {
    for (; number != numbers.end() && number->texts_before <= texts; ++number)
      all.push_back({number->tick, {{tuning_->input_of(*number).path(), {}}}, &*number});
  };
  std::size_t texts = 0;
  for (const TakenChange& each : tuning_->taken()) {
    if (each.by_numbers) continue;
    write_up_to(texts++);
    if (std::find(asked_.begin(), asked_.end(), each) != asked_.end())
      all.push_back({each.tick, each.settings, nullptr});
  }
  write_up_to(texts);
  return all;
}

namespace {

/// "double.gain" is the signal "double.gain"; "push", an input of the diagram, is "push.y", as a log has it.
SparseSignal empty_signal(const Input& input) {
  const std::string& path = input.path();
  const std::size_t dot = path.rfind('.');
  SparseSignal signal;
  signal.channel.path = path.substr(0, dot);
  signal.channel.type = "Input";
  signal.channel.held = true;
  LogField& field = signal.channel.fields.emplace_back();
  field.name = dot == std::string::npos ? "y" : path.substr(dot + 1);
  field.rows = input.rows(), field.cols = input.cols();
  field.unit = input.unit();
  return signal;
}

} // namespace

/// One sample more. The first stands for what was before: players hold it until then.
void LiveSimulation::add_written(const InputPast::Entry& entry, RepeatableRun& to) const {
  const Input& input = tuning_->input_of(entry);
  auto written = std::find_if(to.written.begin(), to.written.end(),
                              [&input](const RepeatableRun::Written& each) { return each.path == input.path(); });
  if (written == to.written.end()) {
    written = to.written.insert(written, {input.path(), empty_signal(input)});
    if (entry.tick > 0) {
      written->signal.ticks.push_back(0);
      written->signal.numbers = tuning_->numbers_at_begin(input);
    }
  }
  written->signal.ticks.push_back(entry.tick);
  for (const std::uint64_t word : entry.words) written->signal.numbers.push_back(number_of(input.element(), word));
}

RepeatableRun LiveSimulation::repeat(const std::vector<LiveSetting>& before) const {
  RepeatableRun all;
  all.period = runtime_->base();
  for (const LiveSetting& each : before) all.settings.before.push_back({each.path, each.text, {}});
  const std::vector<InputPast::Entry> numbers = tuning_->numbers_between(0, std::numeric_limits<std::int64_t>::max());
  const std::vector<Step> steps = this->steps(numbers);
  const auto set_again = [&steps](std::size_t i, const std::string& path) { // the last is what the tick has seen
    for (std::size_t later = i + 1; later < steps.size() && steps[later].tick == steps[i].tick; ++later)
      for (const LiveSetting& its : steps[later].settings)
        if (its.path == path) return true;
    return false;
  };
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const LiveSetting& each : steps[i].settings) {
      if (set_again(i, each.path)) continue;
      if (steps[i].written != nullptr)
        add_written(*steps[i].written, all);
      else
        all.settings.late.timed.push_back(
            {{each.path, each.text, {}},
             {"at", decimal((runtime_->base() * Rational(steps[i].tick)).value()) + " s", {}},
             steps[i].tick});
    }
  return all;
}

} // namespace hilda::session
