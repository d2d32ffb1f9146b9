// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/export_csv.h"
#include "engine/log/export_mat.h"
#include "engine/log/export_scene.h"
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
  bool csv = false, mat = false, scene = false, hold = false;
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

/// What a scene shows, and what it leaves out.
void tell_scene(const SceneContent& content) {
  const auto line = [](const char* what, const std::vector<std::string>& names) {
    if (!names.empty())
      print_note(what + (": " + names.front()) +
                 (names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : ""));
  };
  line("frames", content.frames);
  line("boxes", content.boxes);
  line("arrows", content.arrows);
  line("not drawn, no pose next to it", content.unplaced);
}

int export_scene_of(const ExportArguments& arguments) {
  if (arguments.csv || arguments.mat || arguments.hold || !arguments.signals.empty()) {
    print_error("--scene goes without --csv, --mat, --hold and signals: it shows every pose of the log");
    return exit_usage;
  }
  std::string error;
  std::optional<Log> log = Log::open(arguments.log, error);
  if (!log) {
    print_error(error);
    return exit_bad_file;
  }
  OutputFiles files;
  files.reads(log->path());
  auto file = files.open(target_of(arguments, ".scene.mcap"), OutputKind::file, FileContent::log);
  if (!file) return refused(files, "name another file with --out");
  const std::string place = file->replaces() ? file->path() + "\n" : "";
  SceneContent content;
  const bool done = export_scene(*log, std::move(file), content, error);
  const Exit problem = tell_problems(*log);
  if (!done) {
    print_error(error);
    return exit_failed_run;
  }
  tell_scene(content);
  std::printf("%s", place.c_str());
  return problem;
}

int export_log(ExportArguments arguments) {
  if (arguments.scene) return export_scene_of(arguments);
  take_format(arguments);
  if (arguments.csv == arguments.mat) {
    print_error(arguments.csv ? "--csv and --mat at once: one format a call"
                              : "which format? add --csv, --mat or --scene, or --out FILE.csv or FILE.mat");
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
  Command command = program.command("export", "Writes a log's signals as CSV or MAT file, or its motion as a scene");
  auto arguments = std::make_shared<ExportArguments>();
  command.option("LOG", arguments->log, "Log of a run (MCAP)").required().option_text("FILE");
  command
      .option("SIGNALS", arguments->signals,
              "Signals, parts or paths, such as rig.sensor or rig.sensor.measured.force; all if none")
      .option_text("NAME...");
  command.flag("--csv", arguments->csv, "Comma-separated values: a line a tick, names and units in the first");
  command.flag("--mat", arguments->mat, "MAT file for MATLAB, Octave and scipy: a structure by path");
  command.flag("--scene", arguments->scene,
               "MCAP file for Foxglove's 3D panel: poses as frames, bodies as boxes, wrenches as arrows");
  command
      .option(
          "-o,--out", arguments->out,
          "File to write, whose ending chooses the format; if not given, the log's name with .csv, .mat or .scene.mcap")
      .type_name("FILE");
  command.flag("--hold", arguments->hold, "CSV: repeat the last sample of slower signals instead of empty cells");
  command.footer("Examples:\n"
                 "  hilda export out/pida.mcap --csv\n"
                 "  hilda export out/pida.mcap rig.sensor.measured.force.x lead.led --out forces.csv\n"
                 "  hilda export out/pida.mcap --mat\n"
                 "  hilda export out/pida.mcap --scene --out scene.mcap");
  command.runs([arguments] { return export_log(*arguments); });
}

} // namespace hilda::cli
