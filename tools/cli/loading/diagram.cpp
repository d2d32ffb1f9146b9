#include "tools/cli/loading/diagram.h"

#include "engine/check/check.h"
#include "engine/diagnostics/budget.h"
#include "engine/modes/sim/run_log.h"
#include "tools/cli/loading/plugins.h"
#include "tools/cli/program/command.h"
#include "tools/cli/program/terminal.h"

#include <algorithm>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

void add_list(Command command, const char* name, std::vector<std::string>& list, const char* type, const char* text) {
  command.option(name, list, text).type_name(type).repeated();
}

} // namespace

std::vector<std::string> library_path() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("HILDA_LIBRARY_PATH")) {
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, ':');)
      if (!part.empty()) folders.push_back(part);
  }
  std::error_code failed;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
  if (failed) return folders;
  for (const fs::path& folder : {prefix / "share" / "hilda" / "diagrams", prefix.parent_path() / "diagrams"})
    if (fs::is_directory(folder, failed)) folders.push_back(folder.string());
  return folders;
}

std::string library_file(const std::string& name) {
  std::error_code failed;
  for (const std::string& folder : library_path())
    if (const fs::path file = fs::path(folder) / name; fs::is_regular_file(file, failed)) return file.string();
  return {};
}

void add_diagram_arguments(Command command, DiagramArguments& arguments) {
  command.option("DIAGRAM", arguments.file, "Diagram file").required().option_text("FILE");
  command.option("--mode", arguments.mode, "Variant of the diagram, such as sim or hardware").type_name("MODE");
  command.option("--rig", arguments.rig, "File that takes the place of the subsystem 'rig'").type_name("FILE");
  add_list(command, "--set", arguments.settings, "PATH=VALUE",
           "Value of a parameter, such as response_delay=20ms or lead.time_constant=4ms; as often as wanted");
  add_list(command, "--overlay", arguments.overlays, "FILE", "File with many such values; --set wins over it");
  add_plugin_option(command, arguments.plugins);
}

void end_for_budget(const std::string& text) {
  print_error(text);
  std::_Exit(exit_bad_file);
}

Bench::Bench(DiagramArguments arguments) : arguments_(std::move(arguments)) {
  load_plugins(arguments_.plugins, plugin_diagnostics_);
}

std::vector<std::string> Bench::modes() {
  std::vector<std::string> modes = modes_of_file(arguments_.file, library_path());
  if (modes.empty()) modes.emplace_back(); // not readable: checking it says why
  return modes;
}

void Bench::name_inputs(OutputFiles& files, const System& system) const {
  hilda::name_inputs(system, &sources_, files);
  for (const auto& library : plugin_host().libraries()) files.reads(library->file);
}

std::optional<System> Bench::check(const std::string& mode) {
  LoadOptions options;
  options.mode = mode;
  options.rig = arguments_.rig;
  options.sets = read_settings(arguments_.settings, sources_, diagnostics_);
  options.overlays = arguments_.overlays;
  options.library_path = library_path();
  if (!recorded_.empty()) options.recorded = &recorded_;
  std::vector<std::string> remarks;
  const BudgetGuard guard(budget(), end_for_budget);
  std::optional<System> system =
      hilda::check(arguments_.file, options, plugin_host().catalogue(), sources_, diagnostics_, remarks);
  // a broken plugin that the diagram does not need is no reason not to run it
  diagnostics_.take(plugin_diagnostics_, system.has_value());
  plugin_diagnostics_ = {};
  for (std::string& remark : remarks)
    if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(std::move(remark));
  return system;
}

} // namespace hilda::cli
