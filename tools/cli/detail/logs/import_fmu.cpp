// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/diagnostic.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/fmi/foreign_subsystem.h"
#include "tools/fmi/unpacked.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string fmu, out, step;
};

/// The block reads the FMU at a path from the diagram's folder.
std::string path_from(const std::string& fmu, const std::string& diagram) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(diagram)).parent_path();
  return fs::weakly_canonical(fs::absolute(fmu)).lexically_relative(folder).string();
}

int wrong(const std::string& file, const fmi::Fault& fault) {
  Diagnostics diagnostics;
  diagnostics.error(
      "fmu-import", {&file, 0},
      (fault.line > 0 ? fmt::format("modelDescription.xml:{}: ", fault.line) : std::string()) + fault.what, fault.help);
  print_diagnostics(diagnostics);
  return exit_bad_file;
}

int import_fmu(const ImportArguments& arguments) {
  fmi::Fault fault;
  const std::optional<fmi::ForeignModel> model = fmi::read_fmu(arguments.fmu, fault);
  if (!model) return wrong(arguments.fmu, fault);
  const std::string target = arguments.out.empty() ? fs::path(arguments.fmu).stem().string() + ".xml" : arguments.out;
  fmi::SubsystemOptions options;
  options.file = path_from(arguments.fmu, target);
  options.step = arguments.step;
  options.name = fs::path(target).stem().string();
  const std::optional<fmi::Subsystem> subsystem = fmi::subsystem_of(*model, options, fault);
  if (!subsystem) return wrong(arguments.fmu, fault);
  OutputFiles files;
  files.reads(arguments.fmu);
  const auto file = files.open(target, OutputKind::file, FileContent::diagram);
  if (!file) return refused(files, "name another file with --out");
  words_beside(*file);
  if (const Exit exit = finish(*file, subsystem->text); exit != exit_ok) return exit;
  std::printf("%s: %s\n", target.c_str(), subsystem->summary.c_str());
  for (const std::string& each : subsystem->remarks) std::printf("  %s\n", each.c_str());
  if (options.file.starts_with(".."))
    std::printf("  outside: a diagram finds files in its folder and below, and the FMU is at %s; put them together\n",
                options.file.c_str());
  return exit_ok;
}

} // namespace

void add_import_fmu(Program& program) {
  Command command =
      program.command("import-fmu", "Writes a diagram with an FMU of another tool inside, for <subsystem src>");
  auto arguments = std::make_shared<ImportArguments>();
  command.option("FMU", arguments->fmu, "FMU for co-simulation, FMI 2.0 or 3.0").required().option_text("FILE");
  command.option("-o,--out", arguments->out, "Diagram to write; the FMU's name with .xml if not given")
      .type_name("FILE");
  command.option("--step", arguments->step, "Communication step, such as 10ms; what the FMU names if not given")
      .type_name("TIME");
  command.footer("Examples:\n"
                 "  hilda import-fmu plant.fmu -o plant.xml\n"
                 "  hilda import-fmu plant.fmu -o plant.xml --step 1ms");
  command.runs([arguments] { return import_fmu(*arguments); });
}

} // namespace hilda::cli
