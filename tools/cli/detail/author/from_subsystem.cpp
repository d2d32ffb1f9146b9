// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/from_subsystem.h"

#include "engine/base/diagnostic.h"
#include "engine/run/runtime.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace hilda::cli {
namespace {

constexpr std::int64_t most_rows = 20'000; ///< of the recording

std::vector<std::string> subsystems_of(const System& system) {
  std::set<std::string> paths;
  for (const SystemBlock& block : system.blocks)
    for (std::size_t dot = block.path.find('.'); dot != std::string::npos; dot = block.path.find('.', dot + 1))
      paths.insert(block.path.substr(0, dot));
  return {paths.begin(), paths.end()};
}

bool known(const System& system, const std::string& subsystem) {
  const std::vector<std::string> paths = subsystems_of(system);
  if (std::find(paths.begin(), paths.end(), subsystem) != paths.end()) return true;
  const std::string near = nearest(subsystem, paths);
  print_error(fmt::format("the diagram has no subsystem '{}'\nhelp: {}", subsystem,
                          !near.empty()   ? "did you mean '" + near + "'?"
                          : paths.empty() ? "it has none at all"
                                          : "it has " + paths.front()));
  return false;
}

} // namespace

std::vector<PluginFile> files_from_subsystem(const FromSubsystem& arguments, const std::string& plugin, int& exit) {
  const std::size_t colon = arguments.from.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == arguments.from.size())
    return no_files(exit, exit_usage,
                    "--from " + arguments.from +
                        " names no subsystem\nhelp: write DIAGRAM:SUBSYSTEM, such as pida.xml:rig");
  const std::string duration = arguments.duration.empty() ? "1s" : arguments.duration;
  DiagramArguments diagram = arguments.diagram;
  diagram.file = arguments.from.substr(0, colon);
  SkeletonSource source{
      plugin, arguments.from.substr(colon + 1), std::filesystem::path(diagram.file).filename(), {}, {}};
  CommandDiagram loaded(diagram);
  std::optional<System> system = loaded.check(diagram.mode);
  std::optional<double> limit;
  if (system) limit = time_limit(*system, duration, loaded.diagnostics());
  print_diagnostics(loaded.diagnostics());
  if (!system || !limit || !loaded.diagnostics().ok()) return no_files(exit, exit_bad_file, "");
  if (is_hardware(*system))
    return no_files(
        exit, exit_usage,
        "a subsystem is recorded in simulation, and this diagram requires devices\nhelp: name another --mode or --rig");
  if (!known(*system, source.subsystem)) return no_files(exit, exit_usage, "");
  Diagnostics found;
  const std::unique_ptr<Runtime> runtime = Runtime::create(std::move(*system), {}, found);
  if (runtime != nullptr) runtime->start(found);
  print_diagnostics(found);
  if (runtime == nullptr || !found.ok()) return no_files(exit, exit_bad_file, "");
  source.ports = ports_of(runtime->system(), source.subsystem);
  if (const std::string fault = fault_of(source); !fault.empty())
    return no_files(exit, exit_usage, source.subsystem + ": " + fault + "\nhelp: name another subsystem");
  const std::int64_t ticks = std::min(ticks_in(limit, runtime->base()), most_rows * source.ports.divider);
  source.recorded = record(*runtime, source.ports, ticks);
  runtime->stop();
  if (runtime->ending().kind == Ending::Kind::failed)
    print_warning("the run has failed at " + fmt::format("{:.6g}", runtime->ending().time) +
                  " s: " + runtime->ending().text + "; what came before is recorded");
  if (!source.recorded.moves())
    return no_files(exit, exit_failed_run,
                    "all outputs of " + source.subsystem + " were 0 in " + duration +
                        ": a block that does nothing would pass\nhelp: record for longer, --for TIME");
  return skeleton(source);
}

} // namespace hilda::cli
