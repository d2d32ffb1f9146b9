// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/run_outputs.h"

#include "engine/session/summary.h"
#include "engine/session/summary_parameters.h"
#include "tools/cli/detail/loading/origin.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace hilda::cli {
namespace {

constexpr const char* other_log = "name another file with --log, or run with --no-log";

Summary without_parameters(Summary summary) {
  summary.erase("parameters");
  return summary;
}

} // namespace

std::string own_log_path(const std::string& diagram, const std::string& suffix) {
  std::error_code failed;
  std::filesystem::create_directory("out", failed);
  if (failed) print_warning("the folder out cannot be made: " + failed.message());
  return "out/" + std::filesystem::path(diagram).stem().string() + suffix + ".mcap";
}

Exit RunOutputs::open(const CommandDiagram& from, const Runtime& runtime, const std::string& own_log,
                      RunLogOptions options) {
  from.name_inputs(files_, runtime.system());
  log_path_ = arguments_.log.empty() ? own_log : arguments_.log;
  if (!log_path_.empty() || options.tap != nullptr)
    if (const Exit problem = open_log(from, runtime, std::move(options)); problem != exit_ok) return problem;
  if (arguments_.summary.empty()) return exit_ok;
  summary_ = files_.open(arguments_.summary, OutputKind::text, FileContent::json);
  if (!summary_) return refused(files_, "name another file with --summary");
  words_beside(*summary_);
  return exit_ok;
}

Exit RunOutputs::open_log(const CommandDiagram& from, const Runtime& runtime, RunLogOptions options) {
  options.files = &files_;
  options.everything = arguments_.log_all;
  std::string error;
  log_ = RunLog::create(runtime, origin_of(from), log_path_, options, error);
  if (log_) {
    if (!arguments_.quiet) tell_surprises();
    return exit_ok;
  }
  if (!files_.error().empty()) return refused(files_, other_log);
  print_error(error + "\nhelp: " + other_log);
  return exit_failed_run;
}

Recorder* RunOutputs::next(const CommandDiagram& from, const Runtime& runtime, RunLogOptions options,
                           const SimulationResult& so_far) {
  if (!log_) return nullptr;
  std::string error;
  if (!log_->close(so_far, error)) print_error(error);
  if (first_path_.empty()) first_path_ = log_path_;
  const std::filesystem::path first(first_path_);
  const bool nothing_in_it = so_far.steps == 0 && !summary_; // it is replaced
  if (nothing_in_it) files_ = OutputFiles();
  if (!log_path_.empty() && !nothing_in_it)
    log_path_ =
        (first.parent_path() / (first.stem().string() + "." + std::to_string(++logs_) + first.extension().string()))
            .string();
  log_.reset();
  from.name_inputs(files_, runtime.system());
  options.ticks.reset();
  log_lost_.clear();
  if (open_log(from, runtime, std::move(options)) != exit_ok) {
    log_lost_ = "the run continues without a log: " + log_path_ + " cannot be made";
    print_warning("the run continues without a log");
  }
  return recorder();
}

void RunOutputs::tell_surprises() const {
  if (!log_->kept().empty())
    print_note("an unfinished log of an earlier run was in the way: it is " + log_->kept() + " now");
  if (!log_->shortage().empty())
    print_warning(log_path_ + ": a log of the whole duration may take up to " + log_->shortage() +
                  "\nhelp: --for sets a shorter one; a run whose disk is full continues without a log");
}

bool RunOutputs::close(const SimulationResult& result, const Summary& summary, bool in_log) {
  std::string error;
  std::map<std::string, std::string> texts;
  if (in_log) texts["summary"] = json_text(without_parameters(summary));
  const bool logged = !log_ || log_->close(result, error, texts);
  if (!logged) print_error(error);
  log_kept_ = logged;
  if (!summary_) return logged;
  const bool written = write_summary(summary, *summary_, error);
  if (!written) print_error(error);
  summary_kept_ = written;
  return logged && written;
}

void RunOutputs::report() const {
  if (log_ && log_kept_ && !log_path_.empty())
    std::printf("log      %s (%s%s)\n", log_path_.c_str(), bytes_text(log_->bytes()).c_str(),
                log_->replaces() ? ", replaced the earlier one" : "");
  if (summary_kept_) std::printf("summary  %s\n", arguments_.summary.c_str());
}

} // namespace hilda::cli
