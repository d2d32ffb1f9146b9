#include "engine/solve/solver.h"

#include "engine/solve/methods/rosenbrock.h"

#include <fmt/format.h>

namespace hilda {
namespace {

/// What a number of the settings is not to be. True where all are sound.
bool sound(const SolverSettings& settings, double period, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  const auto refuse = [&](const char* name, double value, const std::string& help) {
    diagnostics.error("bad-tolerance", settings.where, fmt::format("{} of the solver is {}", name, decimal(value)),
                      help);
  };
  if (!(settings.rtol > 0) || !(settings.rtol < 1))
    refuse("rtol", settings.rtol, "it is a share of a state's size: above 0 and below 1, such as 1e-6");
  else if (settings.rtol < 1e-14)
    refuse("rtol", settings.rtol, "numbers of 16 digits keep no error that small; 1e-13 is about the least");
  if (!(settings.atol > 0)) refuse("atol", settings.atol, "give it above zero: the error that does not matter, in SI");
  if (!(settings.max_step >= 1e-12 * period))
    refuse("max_step", settings.max_step,
           fmt::format("it is a time, and no shorter than the smallest step, {:.3g} s here", 1e-12 * period));
  return diagnostics.errors() == errors_before;
}

} // namespace

bool Solver::bind(const System& system, const Memory& memory, const Schedule& schedule, const GuardStates& guards,
                  const SolverSettings& settings, RunningCall& running, Diagnostics& diagnostics) {
  settings_ = settings;
  part_.bind(schedule, guards, running);
  if (!has_variable_step(settings.kind)) {
    fixed_.bind(part_, settings.kind);
    return true;
  }
  const bool numbers = sound(settings, system.base.value(), diagnostics); // what is wrong with states is told with it
  if (part_.size() == 0) return numbers;
  if (settings.kind == SolverKind::rosenbrock && part_.size() > Rosenbrock::most_states) {
    diagnostics.error("solver-size", settings.where,
                      fmt::format("rosenbrock keeps a dense matrix, and {} states are more than its {}", part_.size(),
                                  Rosenbrock::most_states),
                      "take solver=\"dopri5\" where the equations are not stiff");
    return false;
  }
  variable_ = VariableStep::create(system, memory, part_, guards, settings, diagnostics);
  return numbers && variable_ != nullptr;
}

} // namespace hilda
