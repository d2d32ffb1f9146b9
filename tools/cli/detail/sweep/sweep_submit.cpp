// SPDX-License-Identifier: BSD-3-Clause
// A study on a cluster: an array job with a part of it each, and one that joins them.
#include "engine/base/output_files.h"
#include "engine/study/shell_word.h"

#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/slurm.h"
#include "tools/cli/detail/sweep/study_arguments.h"
#include "tools/cli/detail/sweep/submitted.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct SubmitArguments {
  StudyArguments study;
  bool slurm = false;
  std::string store, time, partition;
  std::vector<std::string> options;
  int tasks = 16, jobs = 1;
};

/// What each task begins with: where the study was submitted, with the same program.
std::string preamble(const std::string& what) {
  return "#!/bin/sh\n# " + what + " Written by hilda sweep submit.\nset -eu\ncd " +
         shell_word(fs::current_path().string()) + "\n";
}

std::string program() { return shell_word(fs::read_symlink("/proc/self/exe").string()) + " sweep "; }

std::string study_words(const StudyArguments& study) {
  std::string words = shell_word(study.file);
  for (const std::string& folder : study.plugins) words += " --plugins " + shell_word(folder);
  return words;
}

std::string part_script(const SubmitArguments& arguments, const Submitted& job) {
  return preamble("One part of a study; started again it continues.") + "part=$SLURM_ARRAY_TASK_ID\nexec " + program() +
         study_words(arguments.study) +
         fmt::format(" --quiet -j {} --part \"$part/{}\" -o {}/part\"$part\"of{}.sqlite\n", arguments.jobs, job.tasks,
                     shell_word(job.folder), job.tasks);
}

/// The second line makes no runs: it keeps the logs that the study needs.
std::string merge_script(const SubmitArguments& arguments, const Submitted& job) {
  return preamble("Joins the parts of a study.") + program() + "merge " + shell_word(job.folder) +
         "/part*of*.sqlite -o " + shell_word(job.results) + "\nexec " + program() + study_words(arguments.study) +
         " --quiet -o " + shell_word(job.results) + "\n";
}

bool under_way(const std::string& folder) {
  std::string error;
  std::error_code failed;
  if (!fs::exists(job_file(folder), failed)) return false;
  const std::optional<Submitted> before = read_submitted(folder, error);
  std::map<std::string, std::string> queue;
  if (before && slurm_queue(queue, error) && !before->in(queue)) return false;
  print_error(!error.empty() ? error
                             : "the study is in the queue as job " + before->array + "\nhelp: 'hilda sweep status " +
                                   folder + "' shows how far it is, 'hilda sweep cancel' takes it out");
  return true;
}

bool write_scripts(const SubmitArguments& arguments, const Submitted& job, std::string& error) {
  std::error_code failed;
  fs::create_directories(job.folder, failed);
  if (failed) {
    error = "cannot make the folder " + job.folder + ": " + failed.message();
    return false;
  }
  OutputFiles files;
  return write_file(job.folder + "/part.sh", part_script(arguments, job), FileContent::text, files, error) &&
         write_file(job.folder + "/merge.sh", merge_script(arguments, job), FileContent::text, files, error);
}

/// Both jobs or none.
bool enqueue(const SubmitArguments& arguments, const Study& study, Submitted& job, std::string& error) {
  std::vector<std::string> common = {"--job-name=hilda-" + study.name, "--requeue", "--open-mode=append"};
  if (!arguments.partition.empty()) common.push_back("--partition=" + arguments.partition);
  common.insert(common.end(), arguments.options.begin(), arguments.options.end());
  std::vector<std::string> array = common, merge = common;
  array.push_back(fmt::format("--array=1-{}", job.tasks));
  array.push_back(fmt::format("--cpus-per-task={}", arguments.jobs));
  array.push_back("--output=" + slurm_path(job.folder) + "/part%a.log");
  if (!arguments.time.empty()) array.push_back("--time=" + arguments.time);
  if (!slurm_submit(array, job.folder + "/part.sh", job.array, error)) return false;
  merge.push_back("--dependency=afterok:" + job.array);
  merge.push_back("--kill-on-invalid-dep=yes");
  merge.push_back("--output=" + slurm_path(job.folder) + "/merge.log");
  if (slurm_submit(merge, job.folder + "/merge.sh", job.merge, error) && write_submitted(job, error)) return true;
  std::vector<std::string> made = {job.array};
  if (!job.merge.empty()) made.push_back(job.merge);
  std::string unheard;
  slurm_cancel(made, unheard);
  return false;
}

int submit(const SubmitArguments& arguments) {
  if (!arguments.slurm) {
    print_error("to which engine?\nhelp: --slurm is the one there is; docs/studies.md has Dask and GNU parallel");
    return exit_usage;
  }
  const std::unique_ptr<LoadedStudy> study = load_study(arguments.study);
  if (!study) return exit_bad_file;
  Submitted job;
  job.study = arguments.study.file;
  job.results = arguments.store.empty() ? own_store_path(study->study()) : arguments.store;
  job.folder = fs::path(job.results).replace_extension().string() + "_slurm";
  job.runs = study->design().runs();
  job.tasks = std::min<std::int64_t>(arguments.tasks, std::max<std::int64_t>(job.runs, 1));
  std::error_code failed;
  if (fs::exists(job.results, failed)) {
    print_error(job.results +
                " is there already\nhelp: name another file with -o, or continue with this one here: hilda "
                "sweep " +
                study_words(arguments.study) + " -o " + shell_word(job.results));
    return exit_failed_run;
  }
  std::string error;
  if (under_way(job.folder)) return exit_failed_run;
  if (!write_scripts(arguments, job, error) || !enqueue(arguments, study->study(), job, error)) {
    print_error(error);
    return exit_failed_run;
  }
  std::printf("job      %s: %lld tasks, up to %lld runs each\n", job.array.c_str(), static_cast<long long>(job.tasks),
              static_cast<long long>(job.runs_of(1)));
  std::printf("merge    %s, once all tasks have ended well\n", job.merge.c_str());
  std::printf("results  %s\n", job.results.c_str());
  std::printf("folder   %s\n", job.folder.c_str());
  return exit_ok;
}

} // namespace

void add_sweep_submit(Command sweep) {
  Command command = sweep.command("submit", "Gives a study to a cluster, a part of it to each task");
  auto arguments = std::make_shared<SubmitArguments>();
  command.option("STUDY", arguments->study.file, "Study file").required().option_text("FILE");
  command.flag("--slurm", arguments->slurm, "To Slurm, by sbatch of the search path");
  command.option("-o,--output", arguments->store, "File of all results; out/NAME.sqlite if not given")
      .type_name("FILE");
  command.option("--tasks", arguments->tasks, "Parts of the study; 16 if not given").type_name("N").between(1, 100'000);
  command.option("-j,--jobs", arguments->jobs, "Runs at a time and processors of each task; 1 if not given")
      .type_name("N")
      .between(1, 1024);
  command.option("--time", arguments->time, "What a task may take, as sbatch has it: 2:00:00").type_name("TIME");
  command.option("--partition", arguments->partition, "Of the cluster").type_name("NAME");
  command.option("--sbatch", arguments->options, "Any other option of sbatch: --sbatch=--account=space")
      .repeated()
      .type_name("OPTION");
  add_plugin_option(command, arguments->study.plugins);
  command.footer(
      "A folder next to the results holds scripts, parts and what the tasks say. It must be one that all nodes "
      "share. A task\n"
      "that is started again continues with its part; where tasks have ended early, submit once more continues, too.\n"
      "Example:\n"
      "  hilda sweep submit delays.xml --slurm --tasks 100 --time 1:00:00 -o delays.sqlite\n"
      "  hilda sweep status delays_slurm\n"
      "  hilda sweep cancel delays_slurm");
  command.runs([arguments] { return submit(*arguments); });
}

} // namespace hilda::cli
