// SPDX-License-Identifier: BSD-3-Clause
// How far a study is that was given to a cluster, and how it is taken back.
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/slurm.h"
#include "tools/cli/detail/sweep/study_arguments.h"
#include "tools/cli/detail/sweep/submitted.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

struct Counts {
  std::int64_t done = 0, running = 0, waiting = 0, rows = 0;
  std::vector<std::int64_t> early; ///< tasks that have ended before their part was whole
};

/// Stores of tasks that run are left alone: their node may be another, and SQLite's journal is one machine's.
Counts count(const Submitted& job, const std::map<std::string, std::string>& queue) {
  Counts counts;
  for (std::int64_t task = 1; task <= job.tasks; ++task) {
    const std::string state = job.state(queue, task);
    if (state == "PENDING" || state == "CONFIGURING" || state == "REQUEUED" || state == "REQUEUE_HOLD") {
      ++counts.waiting;
    } else if (!state.empty()) {
      ++counts.running;
    } else {
      std::string unheard;
      const std::unique_ptr<Store> store = Store::read(job.part(task), unheard);
      const std::int64_t rows = store ? store->rows() : 0;
      counts.rows += rows;
      if (rows >= job.runs_of(task))
        ++counts.done;
      else
        counts.early.push_back(task);
    }
  }
  return counts;
}

int status(const std::string& folder) {
  std::string error;
  const std::optional<Submitted> job = read_submitted(folder, error);
  if (!job) {
    print_error(error);
    return exit_bad_file;
  }
  std::map<std::string, std::string> queue;
  if (!slurm_queue(queue, error)) {
    print_error(error);
    return exit_failed_run;
  }
  const Counts counts = count(*job, queue);
  std::printf("job      %s: %lld tasks: %lld done, %lld running, %lld waiting, %zu ended early\n", job->array.c_str(),
              static_cast<long long>(job->tasks), static_cast<long long>(counts.done),
              static_cast<long long>(counts.running), static_cast<long long>(counts.waiting), counts.early.size());
  std::printf("rows     %lld of %lld in parts that no task is at\n", static_cast<long long>(counts.rows),
              static_cast<long long>(job->runs));
  std::error_code failed;
  const bool there = std::filesystem::exists(job->results, failed);
  const auto merge = queue.find(job->merge);
  std::printf("merge    %s: %s\n", job->merge.c_str(),
              merge != queue.end() ? merge->second.c_str()
              : there              ? "done"
                                   : "not in the queue");
  if (there && merge == queue.end()) {
    std::printf("results  %s\n", job->results.c_str());
    return exit_ok;
  }
  if (merge == queue.end() || !counts.early.empty()) {
    std::string which;
    for (std::size_t i = 0; i < std::min<std::size_t>(counts.early.size(), 8); ++i)
      which += fmt::format("{}{}", i > 0 ? ", " : "", counts.early[i]);
    print_error((counts.early.empty() ? "the parts are whole, and they have not been joined"
                                      : "tasks have ended before their part was whole: " + which +
                                            (counts.early.size() > 8 ? ", ..." : "")) +
                "\nhelp: " + folder +
                " has their messages, in part*.log and merge.log; 'hilda sweep submit' once more continues");
    return exit_failed_run;
  }
  return exit_ok;
}

int cancel(const std::string& folder) {
  std::string error;
  const std::optional<Submitted> job = read_submitted(folder, error);
  if (!job) {
    print_error(error);
    return exit_bad_file;
  }
  std::map<std::string, std::string> queue;
  bool sound = slurm_queue(queue, error);
  const bool queued = sound && job->in(queue);
  if (queued) sound = slurm_cancel({job->array, job->merge}, error);
  if (!sound) {
    print_error(error);
    return exit_failed_run;
  }
  std::printf(queued ? "job      %s and %s are taken out; rows that were written stay, and submit continues with them\n"
                     : "job      %s and %s are not in the queue\n",
              job->array.c_str(), job->merge.c_str());
  return exit_ok;
}

void add(Command sweep, const char* name, const char* text, int (*action)(const std::string&)) {
  Command command = sweep.command(name, text);
  auto folder = std::make_shared<std::string>();
  command.option("FOLDER", *folder, "Of a study that was submitted").required().option_text("FOLDER");
  command.runs([folder, action] { return action(*folder); });
}

} // namespace

void add_sweep_status(Command sweep) { add(sweep, "status", "Reports how far a submitted study is", status); }
void add_sweep_cancel(Command sweep) { add(sweep, "cancel", "Takes a submitted study out of the queue", cancel); }

} // namespace hilda::cli
