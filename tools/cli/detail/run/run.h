// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/solver_arguments.h"
#include "tools/cli/detail/run/hardware_run.h"
#include "tools/cli/detail/run/serving.h"
#include "tools/modules.h"

#include <memory>
#include <optional>
#include <string>

namespace hilda::cli {

struct RunArguments {
  DiagramArguments diagram;
  PacedArguments paced;
  std::string replayed; ///< second file: a log, behind --mode replay
  std::string duration, log, summary;
  SolverArguments solver;
  bool no_log = false, log_all = false, quiet = false;
  bool watch = false; ///< in simulation alone
  bool keep_state = false;
  bool console = false;
  bool profile = false;
  ServeArguments serve;
};

/// One run from the file to its report; an Exit.
int run_diagram(const RunArguments& arguments);
/// The same for those who watch. None: the diagram has errors, which are in `found`.
std::optional<int> run_served(const RunArguments& arguments, Serving& serving, Diagnostics& found);
/// All options of a run but for the diagram's.
void add_run_options(Command command, const std::shared_ptr<RunArguments>& arguments);
/// `run`, where nothing among the arguments is misused; else says what. `misuse`: one that is known already.
int run_as_told(RunArguments& arguments, std::string misuse, int (*run)(const RunArguments&));
/// What does not go with --serve; empty: nothing.
std::string serve_misuse(const RunArguments& arguments);

} // namespace hilda::cli
