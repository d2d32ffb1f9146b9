// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/figure_watch.h"
#include "engine/study/sweep.h"

#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/study_arguments.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace hilda::cli {
namespace {

struct TrialRuns {
  std::int64_t runs = 0, failed = 0;
  double time = 0;  ///< s a run
  double bytes = 0; ///< a row
};

/// Three runs spread over the study, and one of each diagram; they go into no store.
TrialRuns try_some(const LoadedStudy& study, Diagnostics& faults) {
  const std::int64_t runs = study.design().runs();
  std::set<std::int64_t> chosen = {0, runs / 2, runs - 1};
  for (std::size_t axis = 0; axis < study.study().axes.size(); ++axis)
    for (std::size_t v = 0;
         study.study().axes[axis].kind == StudyAxis::Kind::diagram && v < study.study().axes[axis].values.size(); ++v)
      if (const std::int64_t run = study.design().first_with(axis, static_cast<std::int64_t>(v)); run >= 0)
        chosen.insert(run);
  FigureWatch watch(study);
  TrialRuns trial;
  PointRunner runner(study, nullptr);
  const auto start = std::chrono::steady_clock::now();
  for (const std::int64_t run : chosen) {
    const PointRunner::Done done = runner.run({run, run, {}});
    ++trial.runs;
    trial.failed += done.row.failed() ? 1 : 0;
    // Rowid and nine numbers' heads, a number 9 bytes, texts as long as they are.
    double bytes = 60 + 9.0 * static_cast<double>(done.row.figures.size() + done.row.coordinates.size());
    for (const RunPoint::Coordinate& coordinate : done.row.coordinates)
      bytes += static_cast<double>(coordinate.label.size());
    trial.bytes = std::max(trial.bytes, bytes + static_cast<double>(done.row.cause.size() + done.row.block.size()));
    watch.note(done);
  }
  watch.close();
  faults = watch.faults();
  trial.time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(trial.runs);
  return trial;
}

int check(const StudyArguments& arguments) {
  const std::unique_ptr<LoadedStudy> study = load_study(arguments);
  if (!study) return exit_bad_file;
  for (const std::string& remark : study->remarks()) print_note(remark);
  const Design& design = study->design();
  std::printf("study    %s: %lld runs", study->study().name.c_str(), static_cast<long long>(design.runs()));
  if (design.samples() * design.repeats() > 1)
    std::printf(" (%lld combinations, %lld samples, %lld repeats)", static_cast<long long>(design.cells()),
                static_cast<long long>(design.samples()), static_cast<long long>(design.repeats()));
  std::printf("\n");
  for (const StudyAxis& axis : study->study().axes) {
    std::string values;
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      if (axis.values.size() > most && i == 3) values += ", ...";
      if (axis.values.size() > most && i >= 3 && i + 1 < axis.values.size()) continue;
      values += (i > 0 ? ", " : "") + axis.values[i].label;
    }
    std::printf("axis     %s: %zu values (%s)\n", axis.name.c_str(), axis.values.size(), values.c_str());
  }
  Diagnostics faults;
  const TrialRuns trial = try_some(*study, faults);
  if (!faults.ok()) {
    print_diagnostics(faults);
    return exit_bad_file;
  }
  const double runs = static_cast<double>(design.runs());
  const int jobs = processors();
  std::printf("time     about %s on %d processors (%.3g s a run, from %lld trial runs%s)\n",
              duration_text(trial.time * runs / jobs).c_str(), jobs, trial.time, static_cast<long long>(trial.runs),
              trial.failed > 0 ? fmt::format(", {} of which failed", trial.failed).c_str() : "");
  std::printf("disk     about %s\n", bytes_text(static_cast<std::uint64_t>(trial.bytes * runs)).c_str());
  return exit_ok;
}

} // namespace

void add_sweep_check(Command sweep) {
  Command command =
      sweep.command("check", "Says what is wrong with a study, how many runs it has and how long they take");
  auto arguments = std::make_shared<StudyArguments>();
  command.option("STUDY", arguments->file, "Study file").required().option_text("FILE");
  add_plugin_option(command, arguments->plugins);
  command.runs([arguments] { return check(*arguments); });
}

} // namespace hilda::cli
