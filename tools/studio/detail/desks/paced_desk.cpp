// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/paced_desk.h"

#include <algorithm>
#include <utility>

namespace hilda::studio {

PacedDesk::PacedDesk(Runtime& runtime, Hub& hub_of_run, DeskHooks hooks, ServedDiagram diagram, std::string read_only)
    : Desk(hub_of_run, std::move(hooks)), tuning_(runtime), diagram_(std::move(diagram)),
      read_only_(std::move(read_only)), marks_(hub_of_run) {
  diagram_.runtime = &runtime;
  diagram_.tuning = &tuning_;
  diagram_.texts = texts_of(runtime.system());
  DiagramFacts facts = facts_of(diagram_, hub(), drawings_);
  facts.hello["revision"] = 1;
  hub().tell(std::move(facts));
  marks_.look_at(runtime.system());
  look({});
}

std::vector<std::string> PacedDesk::may() const {
  std::vector<std::string> ops{"check", "source", "get", "changes", "scene"};
  if (read_only_.empty()) ops.emplace_back("set");
  return with_edits(std::move(ops));
}

std::string PacedDesk::why_not(const std::string& op) const {
  return op == "set" ? read_only_ : "'" + op + "' is not available in a paced run: it does not wait for commands";
}

Json PacedDesk::reply_to(const ClientRequest& request, const std::string& op) {
  if (op == "set") return set(request);
  if (op == "get") return get(request.body);
  if (op == "changes") return {{"ok", true}, {"changes", changes_json()}};
  std::string error;
  Json scene = drawings_.scene(diagram_.runtime->system(), *diagram_.sources, request.body, error);
  if (!error.empty()) return refused(error);
  return {{"ok", true}, {"scene", std::move(scene)}};
}

Json PacedDesk::set(const ClientRequest& request) {
  std::string error;
  const std::vector<LiveSetting> settings = settings_in(request.body, error);
  if (!error.empty()) return refused(error);
  static const std::string place = "page";
  Diagnostics diagnostics;
  auto posted = tuning_.post(settings, diagnostics, {&place, 0});
  if (posted == nullptr) return refused(diagnostics);
  waiting_.emplace_back(std::move(posted), request);
  return nullptr;
}

Json PacedDesk::get(const Json& request) {
  const std::string path = request.value("path", std::string());
  if (const std::optional<std::string> text = tuning_.text_of(path)) return {{"ok", true}, {"text", *text}};
  return refused("there is no parameter " + in_quotes(path), "the values of signals come to those who 'watch' them");
}

Json PacedDesk::changes_json() {
  Json all = Json::array();
  for (const TakenChange& each : tuning_.taken())
    for (const LiveSetting& setting : each.settings)
      all.push_back({{"tick", each.tick},
                     {"time", (diagram_.runtime->base() * Rational(each.tick)).value()},
                     {"path", setting.path},
                     {"text", setting.text}});
  return all;
}

/// What became of what was asked for: first what holds now, then the answers.
void PacedDesk::tell_taken() {
  const auto waits = [](const auto& each) { return each.first->taken() == LiveRequest::waiting; };
  const auto settled = std::stable_partition(waiting_.begin(), waiting_.end(), waits);
  if (settled == waiting_.end()) return;
  hub().tell_parameters(parameters_of(diagram_.runtime->system(), diagram_.texts));
  marks_.look_at(diagram_.runtime->system());
  hub().tell_message({{"op", "changes"}, {"changes", changes_json()}});
  for (auto each = settled; each != waiting_.end(); ++each) {
    const std::int64_t tick = each->first->taken();
    each->second.answer(tick == LiveRequest::dropped ? refused("it was not taken: the run is over")
                                                     : with_reset({{"ok", true}, {"tick", tick}}, {}));
  }
  waiting_.erase(settled, waiting_.end());
}

void PacedDesk::look(const PacedProgress& now) {
  attend();
  tell_taken();
  tell_state({{"state", "paced"},
              {"operator", state_name(now.state)},
              {"tick", now.ticks},
              {"time", now.time},
              {"last", nullptr},
              {"speed", 1},
              {"real_time_factor", 1},
              {"late", now.late},
              {"lost", now.lost},
              {"overruns", now.overruns},
              {"may", may()},
              {"read_only", read_only_},
              {"ending", nullptr}});
  tell_progress(now);
}

void PacedDesk::tell_state(Json state) {
  if (state == state_) return;
  state_ = state;
  hub().tell_state(std::move(state));
}

/// How well it keeps its time. What blocks have to say is theirs as long as the loop runs.
void PacedDesk::tell_progress(const PacedProgress& now) {
  constexpr auto every = std::chrono::milliseconds(500);
  const auto time = std::chrono::steady_clock::now();
  if (time - summed_up_ < every) return;
  summed_up_ = time;
  hub().tell_message(paced_summary(now));
}

void PacedDesk::end(const PacedResult& result) {
  tuning_.close();
  attend();
  tell_taken();
  hub().tell_message(paced_summary(*diagram_.runtime, result));
  const bool failed = result.run.reason == SimulationResult::Reason::failed;
  if (failed) marks_.fail(result.run.ending.block, result.run.ending.text);
  Json state = state_;
  state["state"] = "ended";
  state["operator"] = state_name(OperatorState::ended);
  state["tick"] = result.run.steps;
  state["time"] = result.run.time;
  state["lost"] = result.figures.lost;
  state["late"] = result.figures.late;
  state["overruns"] = result.figures.overruns;
  state["may"] = Json::array();
  state["ending"] = {{"reason", reason_name(result.run.reason)},
                     {"block", result.run.ending.block},
                     {"signal", result.run.ending.signal},
                     {"text", result.run.ending.text},
                     {"time", failed ? result.run.ending.time : result.run.time}};
  tell_state(std::move(state));
}

} // namespace hilda::studio
