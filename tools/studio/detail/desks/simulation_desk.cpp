// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/simulation_desk.h"

#include "tools/studio/detail/desks/list_changes.h"

#include <algorithm>
#include <utility>

namespace hilda::studio {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t most_ticks = std::int64_t{1} << 40;
constexpr auto state_every = 50ms, summary_every = 500ms;
constexpr auto edits_rest = 250ms; // before a run that is paused continues in the edited diagram
constexpr auto edits_shown = 60ms; // before one that runs does: until then the edit is drawn
constexpr double behind = 0.25;    // s that a run may be behind its pace before it gives the rest up

} // namespace

SimulationDesk::SimulationDesk(LiveSimulation& simulation, Hub& hub_of_run, DeskHooks hooks, Options options)
    : Desk(hub_of_run, std::move(hooks)), simulation_(simulation), options_(std::move(options)),
      running_(options_.running), speed_(options_.speed), marks_(hub_of_run) {
  if (options_.edited) edited_ = seen_ = options_.edited();
  tell_diagram();
  begin_pace();
}

ServedDiagram SimulationDesk::served() const {
  const auto [sources, file] = options_.diagram();
  return {&simulation_.runtime(), &simulation_.tuning(), sources, file, texts_};
}

void SimulationDesk::work(const std::atomic<bool>& interrupt) {
  while (!interrupt) {
    attend();
    take_changed_files();
    look_at_edits();
    if (running_ && over()) stand();
    if (over() && !options_.stays) return;
    if (running_)
      advance();
    else
      hub().requests().wait(50ms);
    tell_in_passing();
  }
}

void SimulationDesk::begin_pace() {
  paced_since_ = measured_ = Clock::now();
  paced_from_ = measured_from_ = simulation_.tick();
}

/// The tick that is due by the clock.
std::int64_t SimulationDesk::pace() const {
  const double passed = std::chrono::duration<double>(Clock::now() - paced_since_).count() * speed_;
  return paced_from_ + static_cast<std::int64_t>(passed / simulation_.runtime().base().value());
}

void SimulationDesk::run_to(std::int64_t tick) {
  Diagnostics diagnostics;
  const SimulationResult& result = simulation_.run_to(tick, diagnostics);
  if (!diagnostics.ok()) running_ = false;
  if (!diagnostics.all().empty())
    hub().tell_message({{"op", "diagnostics"},
                        {"diagnostics", diagnostics_json(diagnostics.sorted())},
                        {"text", diagnostics.ok() ? "the run continues" : "what an overlay sets here was refused"}});
  if (result.ending.kind == Ending::Kind::failed) stand();
}

void SimulationDesk::stand() {
  running_ = false;
  tell_state();
  tell_summary();
}

void SimulationDesk::advance() {
  const std::int64_t now = simulation_.tick();
  std::int64_t goal = std::min(goal_, simulation_.last());
  if (now >= goal) return stand();
  if (edit_every_ > 0) goal = std::min(goal, (now / edit_every_ + 1) * edit_every_);
  const Clock::time_point begun = Clock::now();
  if (speed_ > 0) {
    const std::int64_t due = pace();
    if (due <= now) return hub().requests().wait(2ms);
    const double late = static_cast<double>(due - now) * simulation_.runtime().base().value() / speed_;
    if (late > behind) paced_since_ = Clock::now(), paced_from_ = now;
    run_to(std::min({due, goal, now + ticks_}));
  } else {
    run_to(std::min(now + ticks_, goal));
  }
  const auto took = Clock::now() - begun;
  if (took < 10ms && ticks_ < most_ticks) ticks_ *= 2;
  if (took > 40ms && ticks_ > 1) ticks_ /= 2;
}

void SimulationDesk::take_changed_files() {
  if (!options_.changed || options_.changed().empty()) return;
  (void)reload({});
}

/// A run that continues takes an edit once it is drawn; one that is paused waits for the next one, for each begins a
/// log.
void SimulationDesk::look_at_edits() {
  if (!options_.edited) return;
  const Clock::time_point now = Clock::now();
  if (const int newest = options_.edited(); newest != seen_) seen_ = newest, seen_at_ = now;
  const bool drawn = now - seen_at_ >= (running_ ? edits_shown : edits_rest);
  if ((seen_ != edited_ && drawn) || edit_has_tick()) take_edits();
}

/// One with another tick was refused, and would be taken where the run is now.
bool SimulationDesk::edit_has_tick() const { return edit_every_ > 0 && simulation_.tick() % edit_every_ == 0; }

void SimulationDesk::take_edits() {
  if (options_.edited) seen_ = options_.edited();
  if (seen_ == edited_ && !edit_has_tick()) return;
  edited_ = seen_;
  Diagnostics diagnostics;
  std::vector<std::string> reset;
  const bool from_start = simulation_.tick() == 0 || simulation_.ended();
  const bool taken = from_start ? restart_with_settings(diagnostics) : simulation_.reload(diagnostics, reset);
  edit_every_ = taken ? 0 : simulation_.common_ticks();
  if (taken && from_start) hub().rewind(0);
  (void)take_reloaded(taken, diagnostics, reset);
}

/// What was set before the first tick holds in the edited diagram, where that still knows it.
bool SimulationDesk::restart_with_settings(Diagnostics& diagnostics) {
  std::vector<LiveSetting> settings;
  for (const TakenChange& each : simulation_.asked())
    if (each.tick == 0) settings.insert(settings.end(), each.settings.begin(), each.settings.end());
  if (!simulation_.restart(diagnostics)) return false;
  for (const LiveSetting& each : settings) {
    Diagnostics unheard;
    std::vector<std::string> reset;
    (void)simulation_.set({each}, unheard, reset);
  }
  return true;
}

Json SimulationDesk::state() const {
  const Rational base = simulation_.runtime().base();
  const bool endless = simulation_.last() >= most_ticks;
  Json ending = nullptr;
  if (over()) {
    const SimulationResult result = simulation_.so_far();
    ending = {{"reason", reason_name(result.reason)},
              {"block", result.ending.block},
              {"signal", result.ending.signal},
              {"text", result.ending.text},
              {"time", simulation_.ended() ? result.ending.time : simulation_.time()}};
  }
  return {{"state", over()     ? "ended"
                    : running_ ? "running"
                               : "paused"},
          {"tick", simulation_.tick()},
          {"time", simulation_.time()},
          {"last", endless ? Json(nullptr) : Json((base * Rational(simulation_.last())).value())},
          {"revision", revision_},
          {"speed", speed_},
          {"real_time_factor", running_ ? real_time_factor_ : 0},
          {"may", may()},
          {"log_lost", hooks().log_lost ? hooks().log_lost() : std::string()},
          {"ending", std::move(ending)}};
}

void SimulationDesk::tell_diagram() {
  ++revision_;
  if (options_.texts) texts_ = options_.texts();
  DiagramFacts facts = facts_of(served(), hub(), drawings_);
  facts.hello["revision"] = revision_;
  parameters_ = facts.parameters;
  Json hello = whole_hello(facts);
  if (hello_.is_object()) {
    facts.since = revision_ - 1;
    facts.changes = hello_changes(hello_, hello);
  } else {
    hello_ = std::move(hello);
  }
  hub().tell(std::move(facts));
  marks_.look_at(simulation_.runtime().system());
  summary_ = nullptr;
  tell_state();
  tell_parameters();
  tell_summary();
}

void SimulationDesk::tell_state() {
  told_ = Clock::now();
  Json now = state();
  if (now == state_) return;
  state_ = now;
  const bool failed =
      !now["ending"].is_null() && now["ending"]["reason"] == reason_name(SimulationResult::Reason::failed);
  marks_.fail(failed ? now["ending"]["block"] : "", failed ? now["ending"]["text"] : "");
  hub().tell_state(std::move(now));
}

void SimulationDesk::tell_parameters() {
  std::vector<ParameterFact> now = parameters_of(simulation_.runtime().system(), texts_);
  std::vector<ParameterFact> changed;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i < parameters_.size() && now[i] == parameters_[i]) continue;
    changed.push_back(now[i]);
    Json& told = hello_["parameters"][i];
    told["text"] = now[i].text, told["value"] = now[i].value, told["in_file"] = now[i].file;
  }
  parameters_ = std::move(now);
  if (!changed.empty()) {
    hub().tell_parameters(changed);
    marks_.look_at(simulation_.runtime().system());
  }
  Json changes = changes_json();
  if (changes == changes_) return;
  changes_ = changes;
  hub().tell_message({{"op", "changes"}, {"changes", std::move(changes)}});
}

void SimulationDesk::tell_summary() {
  summed_up_ = Clock::now();
  Json now = summary_message(simulation_.runtime());
  if (now == summary_) return;
  summary_ = now;
  hub().tell_message(now);
}

void SimulationDesk::tell_in_passing() {
  // the thread of the log may find its end after the run has paused
  if (!running_) {
    if (hooks().log_lost && hooks().log_lost() != state_.value("log_lost", "")) tell_state();
    return;
  }
  const Clock::time_point now = Clock::now();
  if (now - told_ >= state_every) {
    const double wall = std::chrono::duration<double>(now - measured_).count();
    const double time = static_cast<double>(simulation_.tick() - measured_from_) * simulation_.runtime().base().value();
    if (wall > 0) real_time_factor_ = time / wall;
    measured_ = now;
    measured_from_ = simulation_.tick();
    tell_state();
  }
  if (now - summed_up_ >= summary_every) tell_summary();
}

} // namespace hilda::studio
