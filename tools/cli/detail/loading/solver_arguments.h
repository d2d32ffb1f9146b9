// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// --solver, --rtol, --atol and --max-step: what counts next to the diagram's.
struct SolverArguments {
  std::string name;
  std::string rtol, atol, max_step; ///< as given; empty: not given
  SolverChoice choice() const;
};

void add_solver_arguments(Command& command, SolverArguments& arguments);

} // namespace hilda::cli
