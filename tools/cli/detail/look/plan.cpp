// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/plan.h"

#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <memory>

namespace hilda::cli {
namespace {

int plan(const DiagramArguments& arguments) {
  CommandDiagram loaded(arguments);
  const std::optional<System> system = loaded.check(arguments.mode);
  std::optional<Plan> made;
  if (system) made = make_plan(*system, loaded.diagnostics());
  for (const std::string& remark : loaded.remarks()) print_note(remark);
  print_diagnostics(loaded.diagnostics());
  if (!made || !loaded.diagnostics().ok()) return exit_bad_file;
  std::fputs(plan_text(*system, *made).c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_plan(Program& program) {
  Command command = program.command("plan", "Shows in what order a diagram's blocks run, and why");
  auto arguments = std::make_shared<DiagramArguments>();
  add_diagram_arguments(command, *arguments);
  command.footer("Examples:\n"
                 "  hilda plan diagrams/pida.xml\n"
                 "  hilda plan diagrams/pida.xml --mode hardware");
  command.runs([arguments] { return plan(*arguments); });
}

} // namespace hilda::cli
