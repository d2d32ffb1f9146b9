// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/solver_report.h"

#include "engine/base/word_list.h"
#include "engine/session/solver_findings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hilda::session {
namespace {

using Json = nlohmann::ordered_json;

Json counts(const std::vector<SolverCause>& causes) {
  Json made = Json::object();
  for (const SolverCause& each : causes) made[each.what] = each.count;
  return made;
}

/// "servo.pid 1000, clock 20 and 3 others"
std::string foremost(const std::vector<SolverCause>& causes) {
  FewNames names;
  for (const SolverCause& each : causes) names.add(each.what + " " + std::to_string(each.count));
  return names.text();
}

/// Of a fixed step: how well it follows, and the events where they are located.
Json fixed_document(const Runtime& runtime) {
  const Solver& solver = runtime.solver();
  const StepLengthFinding* step = solver.step_length();
  const LocatedStep* located = solver.located();
  const std::vector<LateEvents::Found> late = late_events(runtime);
  if (located == nullptr && late.empty() && (step == nullptr || step->error == 0)) return nullptr;
  Json document = {{"name", solver_name(solver.settings().kind)}};
  if (located != nullptr) {
    document["steps"] = located->statistics().steps;
    document["events"] = located->statistics().events;
    document["events_by"] = counts(located->event_causes());
  }
  if (step != nullptr && step->error > 0) {
    document["step_error"] = step->error;
    document["step_error_state"] = solver.state_name(step->state);
    document["step_error_time"] = step->time;
  }
  for (const LateEvents::Found& each : late)
    document["late_events"][name_of(runtime, each.event)] = {{"count", each.count}, {"latest", each.latest}};
  return document;
}

std::string fixed_text(const Runtime& runtime) {
  const LocatedStep* located = runtime.solver().located();
  if (located == nullptr) return {};
  const SolverStatistics& is = located->statistics();
  std::string text = fmt::format("{}: {} steps, {} events located\n", solver_name(runtime.solver().settings().kind),
                                 is.steps, is.events);
  if (is.events > 0) text += fmt::format("  events: {}\n", foremost(located->event_causes()));
  return text;
}

} // namespace

Json solver_document(const Runtime& runtime) {
  const VariableStep* variable = runtime.solver().variable();
  if (variable == nullptr) return fixed_document(runtime);
  const SolverSettings& settings = runtime.solver().settings();
  const SolverStatistics& is = variable->statistics();
  Json document = {{"name", solver_name(settings.kind)},
                   {"rtol", settings.rtol},
                   {"atol", settings.atol},
                   {"steps", is.steps},
                   {"rejected", is.rejected},
                   {"right_hand_sides", is.right_hand_sides},
                   {"jacobians", is.jacobians},
                   {"events", is.events},
                   {"restarts", is.restarts},
                   {"shortest_step", is.shortest},
                   {"longest_step", is.longest}};
  document["events_by"] = counts(variable->event_causes());
  document["restarts_by"] = counts(variable->restart_causes());
  document["limited_by"] = counts(variable->limiting_states());
  return document;
}

std::string solver_text(const Runtime& runtime) {
  const VariableStep* variable = runtime.solver().variable();
  if (variable == nullptr) return fixed_text(runtime);
  const SolverStatistics& is = variable->statistics();
  std::string text = fmt::format("{}: {} steps of {:.3g} s to {:.3g} s, {} rejected, {} right-hand sides",
                                 solver_name(runtime.solver().settings().kind), is.steps, is.shortest, is.longest,
                                 is.rejected, is.right_hand_sides);
  if (is.jacobians > 0) text += fmt::format(", {} Jacobians", is.jacobians);
  text += "\n";
  if (is.events > 0) text += fmt::format("  events: {}\n", foremost(variable->event_causes()));
  if (is.restarts > 0) text += fmt::format("  restarts for: {}\n", foremost(variable->restart_causes()));
  if (is.steps > 0) text += fmt::format("  the largest part in the error: {}\n", foremost(variable->limiting_states()));
  if (is.restarts > 100 && is.restarts * 10 > runtime.tick() * 9)
    text += "  it restarted at almost every tick: --solver rk4 costs less, unless the equations are stiff\n";
  return text;
}

} // namespace hilda::session
