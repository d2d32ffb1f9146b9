#pragma once

#include "engine/model/solver_settings.h"
#include "engine/solve/cvode/cvode.h"

#include <vector>

namespace hilda::test {

/// Those whose steps are as long as an error allows; CVODE's where hilda has them.
inline std::vector<SolverKind> variable_solvers() {
  std::vector<SolverKind> made = {SolverKind::dopri5, SolverKind::rosenbrock};
  if (has_cvode()) made.insert(made.end(), {SolverKind::cvode, SolverKind::adams});
  return made;
}

/// How many times the error of a method of one step is that of this one, at most: what formulas over several steps
/// leave is alike from step to step and adds up.
constexpr double times_the_error(SolverKind kind) {
  return kind == SolverKind::cvode || kind == SolverKind::adams ? 10 : 1;
}

} // namespace hilda::test
