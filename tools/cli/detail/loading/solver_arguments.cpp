// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/solver_arguments.h"

#include "engine/base/plain_number.h"
#include "engine/session/time_limit.h"

#include <cmath>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

std::string tolerance_problem(const std::string& text) {
  const std::optional<double> value = plain_number(text);
  return value && std::isfinite(*value) && *value > 0
             ? std::string()
             : fmt::format("'{}' is not a number above zero, such as 1e-8", text);
}

std::string time_problem(const std::string& text) {
  std::string problem;
  return read_duration(text, problem) ? std::string()
                                      : fmt::format("'{}' is not a time such as 50ms: {}", text, problem);
}

} // namespace

SolverChoice SolverArguments::choice() const {
  SolverChoice made(solver_named(name));
  made.rtol = plain_number(rtol), made.atol = plain_number(atol);
  std::string problem;
  if (!max_step.empty()) made.max_step = read_duration(max_step, problem);
  return made;
}

void add_solver_arguments(Command& command, SolverArguments& arguments) {
  command
      .option("--solver", arguments.name,
              "Of continuous states, instead of the diagram's: rk4 and euler make a step a tick; dopri5, adams, and "
              "rosenbrock and cvode (stiff) as long ones as the tolerances allow")
      .type_name("NAME")
      .one_of(solver_names());
  command.option("--rtol", arguments.rtol, "Error of a state that is allowed, as a share of its size")
      .type_name("NUMBER")
      .check(tolerance_problem);
  command.option("--atol", arguments.atol, "And in SI, of states for which the diagram says nothing else")
      .type_name("NUMBER")
      .check(tolerance_problem);
  command.option("--max-step", arguments.max_step, "Longest step").type_name("TIME").check(time_problem);
}

} // namespace hilda::cli
