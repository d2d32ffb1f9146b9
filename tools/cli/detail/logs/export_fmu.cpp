// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/used_plugins.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/version.h"
#include "tools/fmi/archive.h"
#include "tools/fmi/bundle.h"
#include "tools/fmi/description.h"
#include "tools/fmi/package.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

struct FmuArguments {
  DiagramArguments diagram;
  std::string out;
  int version = 3;
};

/// What cannot travel in an FMU: a block that moves or measures something, or reads a file.
void refuse_what_stays(const System& system, Diagnostics& diagnostics) {
  for (const SystemBlock& block : system.blocks) {
    const std::string who = fmt::format("block '{}' ({})", block.path, block.type->name);
    if (block.type->abi->acquire != nullptr || block.type->abi->emit != nullptr)
      diagnostics.error("fmu-device", block.where, who + " exchanges data with a device, and an FMU does not",
                        "export a mode or a rig that simulates it: --mode, --rig");
    for (const ParameterValue& value : block.parameters)
      if (block.type->slots[value.slot].element == HILDA_PATH && !value.value.text.empty())
        diagnostics.error("fmu-file", block.where,
                          fmt::format("{} reads the file {}, which an FMU does not contain", who, value.value.text),
                          "write its values into the diagram, or leave the block out");
  }
}

/// The folder of the plugins in an FMU has those of these blocks alone.
bool add_libraries(const System& system, const std::string& identifier, fmi::Bundle& bundle, std::string& error) {
  if (!bundle.add(fmi::own_folder() + "/fmu/libhilda_fmu.so", identifier + ".so", error)) return false;
  for (const std::string& plugin : used_plugins(system))
    if (!bundle.add(plugin, "plugins/" + std::filesystem::path(plugin).filename().string(), error)) return false;
  return true;
}

std::string platform([[maybe_unused]] int version) {
#if defined(__x86_64__)
  return version == 2 ? "linux64" : "x86_64-linux";
#else
  return "aarch64-linux"; // 2.0 names none; importers take this one
#endif
}

int wrong(const std::string& text, Exit exit) {
  print_error(text);
  return exit;
}

int export_fmu(const FmuArguments& arguments) {
  Diagnostics plugins;
  LoadedDiagram diagram(load_catalogue(arguments.diagram.plugins, plugins));
  LoadOptions options;
  options.mode = arguments.diagram.mode;
  options.rig = arguments.diagram.rig;
  options.settings = arguments.diagram.settings;
  options.overlays = arguments.diagram.overlays;
  options.library_path = installation().library_path();
  const bool loaded = diagram.load(arguments.diagram.file, options);
  if (loaded) refuse_what_stays(diagram.system(), diagram.diagnostics());
  const std::string mode = loaded ? diagram.system().mode : std::string();
  const std::string title = loaded ? diagram.system().name : std::string(),
                    doc = loaded ? diagram.system().doc : std::string();
  const std::unique_ptr<Runtime> runtime = diagram.ok() ? start_runtime(diagram) : nullptr;
  print_diagnostics(diagram.diagnostics());
  if (!runtime) return exit_bad_file;
  Tuning tuning(*runtime);
  std::string error;
  const std::vector<fmi::Variable> variables =
      fmi::list_variables(*runtime, tuning, *diagram.sources().files().front(), error);
  if (!error.empty()) return wrong(error, exit_bad_file);

  OutputFiles files;
  for (const auto& source : diagram.sources().files()) files.reads(source->absolute);
  const std::string target =
      arguments.out.empty() ? std::filesystem::path(arguments.diagram.file).stem().string() + ".fmu" : arguments.out;
  const auto file = files.open(target, OutputKind::file, FileContent::other);
  if (!file) return refused(files, "name another file with --out");

  fmi::Description about;
  about.version = arguments.version;
  about.name = title.empty() ? std::filesystem::path(arguments.diagram.file).stem().string() : title;
  about.doc = doc;
  about.identifier = fmi::identifier_of(about.name);
  about.token = fmi::token_of(variables);
  about.generator = fmt::format("hilda {}", version);
  about.step = runtime->base().value();
  about.stop = about.step * 1000;
  about.saves_state = runtime->without_checkpoint().empty();
  fmi::Archive archive;
  archive.add("modelDescription.xml", fmi::description_text(about, variables));
  fmi::Package package;
  package.diagram = arguments.diagram.file, package.rig = arguments.diagram.rig, package.mode = mode;
  package.token = about.token;
  package.settings = arguments.diagram.settings, package.overlays = arguments.diagram.overlays;
  for (const auto& [name, content] : fmi::package_files(package, diagram.sources()))
    archive.add("resources/" + name, content);
  fmi::Bundle bundle;
  if (!add_libraries(runtime->system(), about.identifier, bundle, error)) return wrong(error, exit_failed_run);
  for (const auto& [name, content] : bundle.files())
    archive.add(fmt::format("binaries/{}/{}", platform(arguments.version), name), content);
  const std::string bytes = archive.take();
  runtime->stop();
  if (!file->write(bytes) || !file->commit()) return wrong(file->error(), exit_failed_run);
  std::printf("%s: FMI %d.0, co-simulation, %zu variables, step %g s, %s; %s, needs %s of the host, or newer\n",
              target.c_str(), arguments.version, variables.size(), about.step, bytes_text(bytes.size()).c_str(),
              platform(arguments.version).c_str(), bundle.needs().c_str());
  return exit_ok;
}

} // namespace

void add_export_fmu(Program& program) {
  Command command = program.command("export-fmu", "Writes a diagram as an FMU for other tools (FMI, co-simulation)");
  auto arguments = std::make_shared<FmuArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.option("-o,--out", arguments->out, "File to write; the diagram's name with .fmu if not given")
      .type_name("FILE");
  command.option("--fmi", arguments->version, "Version of the standard: 2 or 3; 3 if not given")
      .type_name("VERSION")
      .between(2, 3);
  command.footer("Examples:\n"
                 "  hilda export-fmu diagrams/pida.xml -o pida.fmu\n"
                 "  hilda export-fmu diagrams/pida.xml -o pida.fmu --fmi 2 --set response_delay=16ms");
  command.runs([arguments] { return export_fmu(*arguments); });
}

} // namespace hilda::cli
