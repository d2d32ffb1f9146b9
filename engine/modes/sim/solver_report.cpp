#include "engine/modes/sim/solver_report.h"

#include "engine/check/held_signals.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hilda {
namespace {

using Json = nlohmann::ordered_json;

Json counts(const std::vector<SolverCause>& causes) {
  Json made = Json::object();
  for (const SolverCause& each : causes) made[each.what] = each.count;
  return made;
}

/// "servo.pid 1000, clock 20 and 3 others"
std::string foremost(const std::vector<SolverCause>& causes) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < causes.size() && i < most; ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", causes[i].what, causes[i].count);
  if (causes.size() > most) text += fmt::format(" and {} others", causes.size() - most);
  return text;
}

/// From this error of a step on, of what the fastest part of the system was, a run is not what the equations say.
constexpr double worth_a_warning = 0.05;

std::vector<LateEvents::Found> late_events(const Runtime& runtime) {
  const LateEvents* late = runtime.solver().late_events();
  return late != nullptr ? late->found() : std::vector<LateEvents::Found>();
}

/// The block that switches or is set, or whose condition it is.
const std::string& late_name(const Runtime& runtime, const TickEvent& event) {
  const System& system = runtime.system();
  return event.kind == TickEvent::Kind::condition ? system.guards[event.guard].path : system.blocks[event.block].path;
}

/// "'ball' (continuous/Integrator) was set 46 times, up to 0.98 ms late"
std::string late_entry(const Runtime& runtime, const LateEvents::Found& found) {
  const System& system = runtime.system();
  const std::string name = fmt::format("'{}'", late_name(runtime, found.event));
  const std::string times = found.count == 1 ? "once" : fmt::format("{} times", found.count);
  const std::string late = fmt::format("{}{:.3g} ms late", found.count == 1 ? "" : "up to ", 1000 * found.latest);
  const SystemBlock& block = system.blocks[found.event.block];
  switch (found.event.kind) {
  case TickEvent::Kind::switches: return fmt::format("{} ({}) switched {}, {}", name, block.type->name, times, late);
  case TickEvent::Kind::resets: return fmt::format("{} ({}) was set {}, {}", name, block.type->name, times, late);
  case TickEvent::Kind::condition: break;
  }
  return fmt::format("the condition of {}, which '{}' drives, changed {}, {}", name, block.path, times, late);
}

/// What continuous blocks should have heard between two ticks, and heard at the next one.
std::string late_text(const Runtime& runtime) {
  constexpr std::size_t most = 3;
  const std::vector<LateEvents::Found> late = late_events(runtime);
  if (late.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < late.size() && i < most; ++i)
    names += (i == 0 ? "" : "; ") + late_entry(runtime, late[i]);
  if (late.size() > most) names += fmt::format("; and {} others", late.size() - most);
  return fmt::format("warning[event-late]: {} with one step a tick of {} acts on events at the next tick: {}\n"
                     "  help: write events=\"located\" in the diagram, or take --solver dopri5, to act at their very "
                     "time; where ticks "
                     "are meant, give what switches sample_time=\"{}\"\n",
                     solver_name(runtime.solver().settings().kind), time_text(runtime.base()), names,
                     time_text(runtime.base()));
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
    document["late_events"][late_name(runtime, each.event)] = {{"count", each.count}, {"latest", each.latest}};
  return document;
}

/// Where the fixed step is too long: whose, by how much, and what would do.
std::string step_text(const Runtime& runtime) {
  const Solver& solver = runtime.solver();
  const StepLengthFinding* step = solver.step_length();
  if (step == nullptr || !(step->error > worth_a_warning)) return {};
  const char* name = solver_name(solver.settings().kind);
  const std::string effect =
      step->factor > 1 && step->right <= 1
          ? fmt::format("it grows by {:.3g} with each tick, where it should fade by {:.3g}", step->factor, step->right)
          : fmt::format("of what it was a tick before {:.3g} is left, where {:.3g} would be right, and each tick errs "
                        "by {:.3g} of it",
                        step->factor, step->right, step->error);
  return fmt::format(
      "warning[step-too-long]: {} with one step a tick of {} is too coarse for '{}': at t = {:.6g} s {}\n"
      "  help: a period of {:.2g} s follows it; so does --solver {}\n",
      name, time_text(runtime.base()), solver.state_name(step->state), step->time, effect, step->fitting_step,
      step->swings ? "dopri5" : "rosenbrock");
}

std::string held_text(const Runtime& runtime) {
  const std::string remark = held_sources_remark(runtime.system());
  return remark.empty() ? remark : "note: " + remark + "\n";
}

std::string fixed_text(const Runtime& runtime) {
  const LocatedStep* located = runtime.solver().located();
  if (located == nullptr) return step_text(runtime) + late_text(runtime) + held_text(runtime);
  const SolverStatistics& is = located->statistics();
  std::string text = fmt::format("{}: {} steps, {} events located\n", solver_name(runtime.solver().settings().kind),
                                 is.steps, is.events);
  if (is.events > 0) text += fmt::format("  events: {}\n", foremost(located->event_causes()));
  return text + step_text(runtime);
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

} // namespace hilda
