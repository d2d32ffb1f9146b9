// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/sweep/study_arguments.h"

#include "engine/base/budget.h"
#include "engine/base/output_files.h"
#include "engine/study/figure_trial.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/version.h"

#include <filesystem>
#include <system_error>

namespace hilda::cli {
namespace {

/// Reads, loads each of its diagrams and says what is wrong.
bool check(LoadedStudy& study, const std::string& file, Diagnostics& plugins) {
  const BudgetGuard guard(budget(), end_for_budget);
  const bool sound = study.load(file) && study.check();
  if (!sound && study.read()) try_figures(study);
  study.diagnostics().take(plugins, sound);
  if (!sound || !study.diagnostics().all().empty()) print_diagnostics(study.diagnostics());
  return sound;
}

} // namespace

ProgramOrigin this_program() { return {version, revision}; }

std::unique_ptr<LoadedStudy> load_study(const StudyArguments& arguments) {
  Diagnostics plugins;
  installation().load_plugins(arguments.plugins, plugins);
  auto study = std::make_unique<LoadedStudy>(installation().host().catalogue(), installation().library_path());
  return check(*study, arguments.file, plugins) ? std::move(study) : nullptr;
}

std::unique_ptr<Store> read_store(const std::string& file) {
  std::string error;
  std::unique_ptr<Store> store = Store::read(file, error);
  if (!store) print_error(error);
  return store;
}

std::unique_ptr<Store> write_store(const std::string& path, const LoadedStudy& study, Exit& exit) {
  std::string error = kind_conflict(path, FileContent::results);
  std::error_code none;
  const std::filesystem::file_status there = std::filesystem::status(path, none);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    error = path + " cannot be written: it is not a regular file\nhelp: name another file with -o";
  exit = error.empty() ? exit_failed_run : exit_usage;
  std::unique_ptr<Store> store;
  bool damaged = false;
  if (error.empty()) store = Store::write(path, head_of(study, this_program()), error, damaged);
  if (!store) print_error(error);
  if (damaged) exit = exit_bad_file;
  return store;
}

bool close_store(std::unique_ptr<Store>& store, const std::string& path, bool wrong) {
  const bool empty = wrong && store->is_empty();
  store.reset();
  std::error_code failed;
  return empty && std::filesystem::remove(path, failed);
}

std::unique_ptr<OpenStore> open_store(const std::string& file, const std::vector<std::string>& folders) {
  auto open = std::make_unique<OpenStore>();
  open->store = read_store(file);
  if (!open->store) return nullptr;
  for (const LoadedStudy::File& each : open->store->head().files) open->files.add(each.name, each.text);
  Diagnostics plugins;
  installation().load_plugins(folders, plugins);
  open->study =
      std::make_unique<LoadedStudy>(installation().host().catalogue(), installation().library_path(), &open->files);
  return check(*open->study, open->store->head().study_file, plugins) ? std::move(open) : nullptr;
}

std::string own_store_path(const Study& study) {
  std::error_code failed;
  std::filesystem::create_directory("out", failed);
  return "out/" + std::filesystem::path(study.name).filename().string() + ".sqlite";
}

} // namespace hilda::cli
