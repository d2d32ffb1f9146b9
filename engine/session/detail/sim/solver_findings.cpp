// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/solver_findings.h"

#include <fmt/format.h>

namespace hilda::session {
namespace {

/// From this error of a step on, of what the fastest part of the system was, a run is not what the equations say.
constexpr double worth_a_warning = 0.05;

const char* method(const Runtime& runtime) { return solver_name(runtime.solver().settings().kind); }

Location where_is(const Runtime& runtime, BlockIndex block) {
  const System& system = runtime.system();
  return block.valid() ? system.blocks[block].where : system.where;
}

bool is_too_long(const Runtime& runtime) {
  const StepLengthFinding* step = runtime.solver().step_length();
  return step != nullptr && step->error > worth_a_warning;
}

void warn_of_step(const Runtime& runtime, Diagnostics& diagnostics) {
  const StepLengthFinding& step = *runtime.solver().step_length();
  const std::string effect =
      step.factor > 1 && step.right <= 1
          ? fmt::format("it grows by {:.3g} with each tick, where it should fade by {:.3g}", step.factor, step.right)
          : fmt::format("of what it was a tick before {:.3g} is left, where {:.3g} would be right, and each tick errs "
                        "by {:.3g} of it",
                        step.factor, step.right, step.error);
  diagnostics.warning("step-too-long", where_is(runtime, runtime.solver().state_block(step.state)),
                      fmt::format("{} with one step a tick of {} is too coarse for '{}': at t = {:.6g} s {}",
                                  method(runtime), time_text(runtime.base()), runtime.solver().state_name(step.state),
                                  step.time, effect),
                      fmt::format("a period of {:.2g} s follows it; so does --solver {}", step.fitting_step,
                                  step.swings ? "dopri5" : "rosenbrock"));
}

bool are_late(const Runtime& runtime) {
  const LateEvents* late = runtime.solver().late_events();
  return late != nullptr && late->any();
}

/// "'ball' (continuous/Integrator) was set 46 times, up to 0.98 ms late"
std::string entry(const Runtime& runtime, const LateEvents::Found& found) {
  const System& system = runtime.system();
  const std::string name = fmt::format("'{}'", name_of(runtime, found.event));
  const std::string times = found.count == 1 ? "once" : fmt::format("{} times", found.count);
  const std::string late = fmt::format("{}{:.3g} ms late", found.count == 1 ? "" : "up to ", 1000 * found.latest);
  const SystemBlock& block = system.blocks[found.event.block];
  switch (found.event.kind) {
  case TickEvent::Kind::modes:
    return fmt::format("{} ({}) should have stopped {}, and continued", name, block.type->name, times);
  case TickEvent::Kind::switches: return fmt::format("{} ({}) switched {}, {}", name, block.type->name, times, late);
  case TickEvent::Kind::resets: return fmt::format("{} ({}) was set {}, {}", name, block.type->name, times, late);
  case TickEvent::Kind::condition: break;
  }
  return fmt::format("the condition of {}, which '{}' drives, changed {}, {}", name, block.path, times, late);
}

void warn_of_late_events(const Runtime& runtime, Diagnostics& diagnostics) {
  constexpr std::size_t most = 3;
  const std::vector<LateEvents::Found> late = late_events(runtime);
  std::string names;
  for (std::size_t i = 0; i < late.size() && i < most; ++i) names += (i == 0 ? "" : "; ") + entry(runtime, late[i]);
  if (late.size() > most) names += fmt::format("; and {} others", late.size() - most);
  const std::string period = time_text(runtime.base());
  diagnostics.warning(
      "event-late", where_is(runtime, late.front().event.block),
      fmt::format("{} with one step a tick of {} acts on events at the next tick: {}", method(runtime), period, names),
      fmt::format("write events=\"located\" in the diagram, or take --solver dopri5, to act at their "
                  "very time; where ticks are meant, give what switches sample_time=\"{}\"",
                  period));
}

struct Kind {
  bool (*there)(const Runtime&);
  void (*warn)(const Runtime&, Diagnostics&);
};
constexpr Kind kinds[] = {{is_too_long, warn_of_step}, {are_late, warn_of_late_events}};

} // namespace

std::vector<LateEvents::Found> late_events(const Runtime& runtime) {
  const LateEvents* late = runtime.solver().late_events();
  return late != nullptr ? late->found() : std::vector<LateEvents::Found>();
}

const std::string& name_of(const Runtime& runtime, const TickEvent& event) {
  const System& system = runtime.system();
  return event.kind == TickEvent::Kind::condition ? system.guards[event.guard].path : system.blocks[event.block].path;
}

Diagnostics solver_findings(const Runtime& runtime) {
  Diagnostics found;
  NewFindings().report(runtime, found);
  return found;
}

void NewFindings::report(const Runtime& runtime, Diagnostics& diagnostics) {
  unsigned bit = 1;
  for (const Kind& kind : kinds) {
    if ((told_ & bit) == 0 && kind.there(runtime)) told_ |= bit, kind.warn(runtime, diagnostics);
    bit <<= 1;
  }
}

} // namespace hilda::session
