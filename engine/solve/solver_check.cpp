#include "engine/solve/solver_check.h"

#include "engine/diagnostics/complaint.h"
#include "engine/diagnostics/word_list.h"

#include <fmt/format.h>

namespace hilda {
namespace {

/// The numbers of the run's choice, which a fixed step does not read.
void warn_of_choice(const SolverSettings& settings, const SolverChoice& choice, Diagnostics& diagnostics) {
  std::string names;
  if (choice.rtol) add_word(names, "--rtol");
  if (choice.atol) add_word(names, "--atol");
  if (choice.max_step) add_word(names, "--max-step");
  if (names.empty()) return;
  diagnostics.warning("tolerance-ignored", settings.where,
                      fmt::format("{}: the run's solver, {}, makes one step a tick and does not read such numbers",
                                  names, solver_name(settings.kind)),
                      "say --solver dopri5, rosenbrock, cvode or adams, or leave them out");
}

} // namespace

bool check_solver(const SolverSettings& settings, const SolverChoice& choice, bool clocked, Diagnostics& diagnostics) {
  const bool variable = has_variable_step(settings.kind);
  if (clocked && variable)
    diagnostics.error("solver-paced", settings.where,
                      fmt::format("the solver {} takes as many steps as the tolerances ask for, and ticks that are due "
                                  "at times of the clock do not wait",
                                  in_quotes(solver_name(settings.kind))),
                      "take solver=\"rk4\" (--solver rk4) where devices or --realtime pace the loop");
  else if (clocked && settings.located)
    diagnostics.error(
        "solver-paced", settings.where,
        "events=\"located\" makes as many steps a tick as there are events in it, and ticks that are due at "
        "times of the clock do not wait",
        "leave it out where devices or --realtime pace the loop");
  if (!variable) warn_of_choice(settings, choice, diagnostics);
  return !clocked || !(variable || settings.located);
}

} // namespace hilda
