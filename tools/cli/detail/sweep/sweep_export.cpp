// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/export_rows.h"

#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/parquet.h"
#include "tools/cli/detail/sweep/study_arguments.h"

#include <cstdio>

namespace hilda::cli {
namespace {

struct SweepExportArguments {
  std::string store, into;
  bool csv = false, mat = false, parquet = false;
};

int export_store(const SweepExportArguments& arguments) {
  if (arguments.csv + arguments.mat + arguments.parquet != 1) {
    print_error("in which format?\nhelp: give one of --csv, --mat and --parquet");
    return exit_usage;
  }
  const std::unique_ptr<Store> store = read_store(arguments.store);
  if (!store) return exit_bad_file;
  std::string error;
  OutputFiles files;
  files.reads(arguments.store);
  const std::unique_ptr<OutputFile> file =
      arguments.csv   ? files.open(arguments.into, OutputKind::text, FileContent::table)
      : arguments.mat ? files.open(arguments.into, OutputKind::file, FileContent::mat)
                      : files.open(arguments.into, OutputKind::file, FileContent::parquet);
  if (!file) return refused(files);
  const bool written = arguments.csv   ? export_csv(*store, *file, error)
                       : arguments.mat ? export_mat(*store, *file, error)
                                       : store->intact() && export_parquet(arguments.store, *file, error);
  if (written && file->commit()) return exit_ok;
  print_error(!store->ok() ? store->error() : error.empty() ? file->error() : error);
  return store->ok() ? exit_failed_run : exit_bad_file;
}

} // namespace

void add_sweep_export(Command sweep) {
  Command command = sweep.command("export", "Writes the results of a study as CSV, MAT or Parquet");
  auto arguments = std::make_shared<SweepExportArguments>();
  command.option("FILE", arguments->store, "Results of a study").required().option_text("FILE");
  command.option("-o,--output", arguments->into, "File to write").required().type_name("FILE");
  command.flag("--csv", arguments->csv, "Text, a line a run");
  command.flag("--mat", arguments->mat, "For MATLAB and Octave: a variable each column");
  command.flag("--parquet", arguments->parquet, "For pandas and others, by Python's pyarrow where that is installed");
  command.footer("Rows are in the order of their numbers; equal studies give equal files.");
  command.runs([arguments] { return export_store(*arguments); });
}

} // namespace hilda::cli
