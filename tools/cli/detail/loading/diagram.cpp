// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/diagram.h"

#include "engine/base/budget.h"
#include "engine/base/error.h"
#include "engine/session/run_log.h"
#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace hilda::cli {
namespace {

void add_list(Command command, const char* name, std::vector<std::string>& list, const char* type, const char* text) {
  command.option(name, list, text).type_name(type).repeated();
}

void add_values(Command command, DiagramArguments& arguments) {
  add_list(command, "--set", arguments.settings, "PATH=VALUE",
           "Value of a parameter, such as response_delay=20ms or lead.time_constant=4ms; repeatable");
  add_list(command, "--overlay", arguments.overlays, "FILE", "File with many such values; --set wins over it");
}

} // namespace

void add_diagram_arguments(Command command, DiagramArguments& arguments) {
  if (compiled_program() != nullptr) return add_values(command, arguments);
  command.option("DIAGRAM", arguments.file, "Diagram file").required().option_text("FILE");
  command.option("--mode", arguments.mode, "Variant of the diagram, such as sim or hardware").type_name("MODE");
  command.option("--rig", arguments.rig, "File that takes the place of the subsystem 'rig'").type_name("FILE");
  add_values(command, arguments);
  add_plugin_option(command, arguments.plugins);
}

void end_for_budget(const std::string& text) {
  print_error(text);
  std::_Exit(exit_bad_file);
}

CommandDiagram::CommandDiagram(DiagramArguments arguments)
    : arguments_(std::move(arguments)), diagram_(plugin_host().catalogue()) {
  if (const CompiledProgram* program = compiled_program()) {
    program->load_plugins(plugin_diagnostics_);
    recorded_ = program->diagram.files;
  } else {
    installation().load_plugins(arguments_.plugins, plugin_diagnostics_);
  }
}

std::vector<std::string> CommandDiagram::modes() {
  if (compiled_program() != nullptr) return {arguments_.mode};
  std::vector<std::string> modes = modes_of_file(arguments_.file, installation().library_path());
  if (modes.empty()) modes.emplace_back(); // not readable: checking it says why
  return modes;
}

void CommandDiagram::name_inputs(OutputFiles& files, const System& system) const {
  session::name_inputs(system, &diagram_.sources(), files);
  for (const PlayedSetting& each : played())
    if (!each.found.empty()) files.reads(each.found);
  for (const auto& library : plugin_host().libraries()) files.reads(library->file);
  for (const std::string& script : plugin_host().scripts().files()) files.reads(script);
}

namespace {

/// There is no such file, but one of that name came with the program: which is reported.
bool is_elsewhere(const std::string& file, Diagnostics& diagnostics) {
  std::error_code failed;
  if (std::filesystem::exists(file, failed)) return false;
  const std::string shipped = installation().library_file(std::filesystem::path(file).filename().string());
  if (shipped.empty()) return false;
  diagnostics.error("file-unreadable", {}, "cannot read " + in_quotes(file) + ": there is no such file",
                    "the diagram of that name that comes with hilda is " + in_quotes(shipped));
  return true;
}

} // namespace

LoadOptions CommandDiagram::options(const std::string& mode) const {
  LoadOptions options;
  options.mode = mode;
  options.rig = arguments_.rig;
  options.settings = arguments_.settings;
  options.overlays = arguments_.overlays;
  options.solver = arguments_.solver;
  if (compiled_program() == nullptr) options.library_path = installation().library_path();
  if (!recorded_.empty()) options.recorded = &recorded_;
  return options;
}

std::vector<Diagnostic> CommandDiagram::check_text(const std::string& text) const {
  LoadedDiagram other(plugin_host().catalogue());
  other.take_times();
  other.load(DiagramText{arguments_.file, text}, options(arguments_.mode));
  return other.diagnostics().sorted();
}

std::optional<System> CommandDiagram::check(const std::string& mode) {
  if (recorded_.empty() && is_elsewhere(arguments_.file, diagram_.diagnostics())) return std::nullopt;
  const BudgetGuard guard(budget(), end_for_budget);
  const bool whole = diagram_.load(arguments_.file, options(mode));
  // a broken plugin that the diagram does not need is not a reason not to run it
  diagram_.diagnostics().take(plugin_diagnostics_, whole);
  plugin_diagnostics_ = {};
  if (!whole) return std::nullopt;
  return diagram_.take_system();
}

} // namespace hilda::cli
