// SPDX-License-Identifier: BSD-3-Clause
// One row of a store: its command line, and the run once more.
#include "engine/study/point_runner.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/study_arguments.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hilda::cli {
namespace {

struct RowArguments {
  int run = 0;
  std::string store, log;
  std::vector<std::string> plugins;
};

/// The task that a row came of: of a search, other values on some axes than its base has.
StudyTask task_of(const LoadedStudy& study, const StudyRow& row) {
  StudyTask task{row.run, row.base, {}};
  const RunPoint base = study.design().point(row.base);
  for (std::size_t axis = 0; axis < study.study().axes.size(); ++axis) {
    const double number = row.coordinates[axis].number;
    if (study.study().axes[axis].numeric && !std::isnan(number) && number != base.coordinates[axis].number)
      task.overrides.push_back({axis, number});
  }
  return task;
}

struct FoundRow {
  std::unique_ptr<OpenStore> open;
  StudyRow row;
  StudyTask task;
};

std::optional<FoundRow> find(const RowArguments& arguments) {
  FoundRow found;
  found.open = open_store(arguments.store, arguments.plugins);
  if (!found.open) return std::nullopt;
  const std::optional<StudyRow> row = found.open->store->row(arguments.run);
  if (!row) {
    const Store& store = *found.open->store;
    print_error(store.ok() ? fmt::format("{} has no run {}", arguments.store, arguments.run) : store.error());
    return std::nullopt;
  }
  found.row = *row;
  found.task = task_of(*found.open->study, *row);
  return found;
}

void print_figures(const StoreHead& head, const StudyRow& row) {
  for (std::size_t i = 0; i < row.figures.size(); ++i)
    if (std::isnan(row.figures[i]))
      std::printf("%-20s -\n", head.figures[i].name.c_str());
    else
      std::printf("%-20s %s\n", head.figures[i].name.c_str(),
                  (decimal(row.figures[i]) + (head.figures[i].unit.empty() ? "" : " " + head.figures[i].unit)).c_str());
  std::string end = row.ending;
  if (!row.cause.empty()) end += ": " + row.cause;
  if (!row.block.empty()) end += " (" + row.block + ")";
  std::printf("%-20s %s\n", "ending", end.c_str());
}

int show(const RowArguments& arguments) {
  const std::optional<FoundRow> found = find(arguments);
  if (!found) return exit_bad_file;
  RunPoint point = found->open->study->design().point(found->task.base, found->task.overrides);
  Diagnostics diagnostics;
  if (!found->open->study->multiply(point, diagnostics)) {
    print_diagnostics(diagnostics);
    return exit_bad_file;
  }
  std::printf("%s\n", found->open->study->command_line(point).c_str());
  print_figures(found->open->store->head(), found->row);
  return exit_ok;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

int rerun(const RowArguments& arguments) {
  const std::optional<FoundRow> found = find(arguments);
  if (!found) return exit_bad_file;
  const LoadedStudy& study = *found->open->study;
  PointRunner runner(study, nullptr);
  PointRunner::Done done;
  RunOrigin origin;
  origin.version = this_program().version, origin.git = this_program().git;
  origin.plugins = &installation().host();
  std::string error;
  OutputFiles files;
  files.reads(arguments.store);
  if (arguments.log.empty())
    done = runner.run(found->task);
  else if (!runner.run_logged(found->task, origin, arguments.log, files, done, error)) {
    print_error(error);
    return files.misuse() ? exit_usage : exit_failed_run;
  }
  const StoreHead& head = found->open->store->head();
  print_figures(head, done.row);
  if (!arguments.log.empty()) std::printf("%-20s %s\n", "log", arguments.log.c_str());
  if (done.row.hash() == found->row.hash()) {
    std::printf("%-20s %s\n", "row", "every bit is as in the store");
    return exit_ok;
  }
  std::fflush(stdout);
  std::string what = "it ended otherwise: " + found->row.ending + " in the store";
  for (std::size_t i = head.figures.size(); i-- > 0;)
    if (!same(done.row.figures[i], found->row.figures[i]))
      what = fmt::format("{} is {} in the store", head.figures[i].name, decimal(found->row.figures[i]));
  const StoreHead mine = head_of(study, this_program());
  const std::string why = head.conflict(mine, "here");
  print_error("the run is not as in the store: " + what + (why.empty() ? "" : "\nhelp: " + why));
  return exit_failed_run;
}

void add_row_arguments(Command command, RowArguments& arguments) {
  command.option("RUN", arguments.run, "Number of the run").required().option_text("N").not_negative();
  command.option("FILE", arguments.store, "Results of a study").required().option_text("FILE");
  add_plugin_option(command, arguments.plugins);
}

} // namespace

void add_sweep_show(Command sweep) {
  Command command = sweep.command("show", "Prints a run's command line and figures");
  auto arguments = std::make_shared<RowArguments>();
  add_row_arguments(command, *arguments);
  command.runs([arguments] { return show(*arguments); });
}

void add_sweep_rerun(Command sweep) {
  Command command = sweep.command("rerun", "Makes a run once more, and says whether every bit is as in the store");
  auto arguments = std::make_shared<RowArguments>();
  add_row_arguments(command, *arguments);
  command.option("--log", arguments->log, "Log of every output (MCAP)").type_name("FILE");
  command.runs([arguments] { return rerun(*arguments); });
}

} // namespace hilda::cli
