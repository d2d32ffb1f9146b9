// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/run.h"

#include <memory>

namespace hilda::cli {
namespace {

/// Run after run, for a diagram that cannot run may be mended.
int open_studio(const RunArguments& arguments) {
  if (arguments.diagram.mode == "replay") {
    print_error("studio simulates, and a replay has its log\nhelp: leave --mode replay out");
    return exit_usage;
  }
  Serving serving(arguments.serve);
  if (const Exit problem = serving.open(); problem != exit_ok) return problem;
  serving.edit(arguments);
  while (true) {
    Diagnostics found;
    if (const std::optional<int> code = run_served(arguments, serving, found)) return serving.say_kept(), *code;
    serving.show();
    if (!serving.wait_for_mending(arguments, found)) return serving.say_kept(), exit_ok;
  }
}

} // namespace

void add_studio(Program& program) {
  Command command =
      program.command("studio", "Opens a diagram in a browser: watch it, tune it, pause, step and go back");
  auto arguments = std::make_shared<RunArguments>();
  arguments->serve.studio = true;
  add_diagram_arguments(command, arguments->diagram);
  auto no_open = std::make_shared<bool>(false);
  command.option("--port", arguments->serve.port, "Port of the page; 8765 if not given, or one that is free")
      .type_name("PORT")
      .repeated();
  command.flag("--no-open", *no_open, "Print the page's address, and open no browser");
  add_serve_arguments(command, arguments->serve);
  add_duration_option(command, arguments->duration, "Simulated time, instead of the diagram's parameter 'duration'");
  const Option log = command.option("--log", arguments->log, "Log of every output (MCAP); out/NAME.mcap if not given")
                         .type_name("FILE");
  command.flag("--no-log", arguments->no_log, "Record nothing").excludes(log);
  add_solver_arguments(command, arguments->solver);
  command.footer(
      "The page shows the diagram, tunes it and edits it; of a file that is not there it begins a new diagram, and "
      "nothing "
      "is\n"
      "written before it is saved.\n"
      "The diagram waits at t = 0. It is a simulation, whatever its clock; when a file of it is saved, it "
      "continues in the\n"
      "changed diagram. Only who has the printed address comes in, and only from this computer unless "
      "--listen says so.\n"
      "Examples:\n"
      "  hilda studio diagrams/pida.xml\n"
      "  hilda studio mine.xml\n"
      "  hilda studio diagrams/pida.xml --set response_delay=20ms --no-open --port 9000");
  command.runs([arguments, no_open]() -> int {
    arguments->serve.browser = !*no_open;
    arguments->diagram.solver = arguments->solver.choice();
    return open_studio(*arguments);
  });
}

} // namespace hilda::cli
