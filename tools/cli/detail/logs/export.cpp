// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/export_csv.h"
#include "engine/log/export_mat.h"
#include "engine/log/export_selection.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace hilda::cli {
namespace {

struct ExportArguments {
  std::string log, out;
  std::vector<std::string> signals;
  bool csv = false, mat = false, hold = false;
};

std::string target_of(const ExportArguments& arguments, const char* extension) {
  if (!arguments.out.empty()) return arguments.out;
  return beside(arguments.log, extension);
}

/// Whether a name ends as a file of a format does.
bool names_file(const std::string& name) { return name.ends_with(".csv") || name.ends_with(".mat"); }

/// Without --csv and --mat the name of the file decides.
void take_format(ExportArguments& arguments) {
  if (arguments.csv || arguments.mat) return;
  arguments.csv = arguments.out.ends_with(".csv");
  arguments.mat = arguments.out.ends_with(".mat");
}

std::string help_for_signals(const ExportArguments& arguments) {
  const auto file = std::find_if(arguments.signals.begin(), arguments.signals.end(), names_file);
  if (file != arguments.signals.end()) return "to write the file " + *file + ", use --out " + *file;
  return "hilda info " + arguments.log + " lists the signals";
}

int export_log(ExportArguments arguments) {
  take_format(arguments);
  if (arguments.csv == arguments.mat) {
    print_error(arguments.csv ? "--csv and --mat at once: one format a call"
                              : "which format? add --csv or --mat, or --out FILE.csv or FILE.mat");
    return exit_usage;
  }
  if (arguments.hold && arguments.mat) {
    print_error("--hold is for CSV: in a MAT file each signal has its own sample times\nhelp: leave it out");
    return exit_usage;
  }
  std::string error;
  std::optional<Log> log = Log::open(arguments.log, error);
  if (!log) {
    print_error(error);
    return exit_bad_file;
  }
  if (!selected_signals(*log, arguments.signals, error)) {
    print_error(error + "\nhelp: " + help_for_signals(arguments));
    return exit_usage;
  }
  const std::string target = target_of(arguments, arguments.csv ? ".csv" : ".mat");
  OutputFiles files;
  files.reads(log->path());
  const auto file = arguments.csv ? files.open(target, OutputKind::text, FileContent::table)
                                  : files.open(target, OutputKind::file, FileContent::mat);
  if (!file) return refused(files, "name another file with --out");
  const bool done = arguments.csv ? export_csv(*log, *file, {arguments.signals, arguments.hold}, error)
                                  : export_mat(*log, *file, arguments.signals, error);
  const Exit problem = tell_problems(*log);
  if (!done) {
    print_error(error);
    return exit_failed_run;
  }
  tell_place(*file);
  return problem;
}

} // namespace

void add_export(Program& program) {
  Command command = program.command("export", "Writes a log's signals as CSV or MAT file");
  auto arguments = std::make_shared<ExportArguments>();
  command.option("LOG", arguments->log, "Log of a run (MCAP)").required().option_text("FILE");
  command
      .option("SIGNALS", arguments->signals,
              "Signals, parts or paths, such as rig.sensor or rig.sensor.measured.force; all if none")
      .option_text("NAME...");
  command.flag("--csv", arguments->csv, "Comma-separated values: a line a tick, names and units in the first");
  command.flag("--mat", arguments->mat, "MAT file for MATLAB, Octave and scipy: a structure by path");
  command
      .option("-o,--out", arguments->out,
              "File to write, whose ending chooses the format; if not given, the log's name with .csv or .mat")
      .type_name("FILE");
  command.flag("--hold", arguments->hold, "CSV: repeat the last sample of slower signals instead of empty cells");
  command.footer("Examples:\n"
                 "  hilda export out/pida.mcap --csv\n"
                 "  hilda export out/pida.mcap rig.sensor.measured.force.x lead.led --out forces.csv\n"
                 "  hilda export out/pida.mcap --mat");
  command.runs([arguments] { return export_log(*arguments); });
}

} // namespace hilda::cli
