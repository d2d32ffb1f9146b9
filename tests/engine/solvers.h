// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "engine/run/detail/solve/cvode/cvode.h"
#include "tests/engine/loop.h"
#include "tests/modules.h"

#include <cmath>
#include <string>
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

inline RuntimeOptions solver_options(SolverKind kind, double rtol, double atol) {
  RuntimeOptions options;
  options.solver.kind = kind;
  options.solver.rtol = rtol;
  options.solver.atol = atol;
  return options;
}

/// The largest relative error of a vector at the end of a run.
inline double worst_relative_error(const Loop& loop, const std::string& signal, const std::vector<double>& expected) {
  double error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    error = std::max(error, std::abs(loop.value(signal, i) / expected[i] - 1));
  return error;
}

/// x'' = -400 x from 1, as x and v.
inline const std::string oscillator = R"(<block name="x" type="continuous/Integrator" initial="1"/>
<block name="v" type="continuous/Integrator"/>
<block name="pull" type="math/Gain" gain="-400 1/s2"/>
<connect from="x.y" to="pull.u"/>
<connect from="pull.y" to="v.u"/>
<connect from="v.y" to="x.u"/>
)";

/// A stairway that rises every 100 ms, into an integrator.
inline const std::string stairs = R"(<block name="stairs" type="sources/Clock" sample_time="100 ms"/>
<block name="x" type="continuous/Integrator"/>
<connect from="stairs.time" to="x.u"/>
)";

} // namespace hilda::test
