// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/sweep.h"

#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/study_arguments.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace hilda::cli {
namespace {

struct SweepArguments {
  StudyArguments study;
  std::string store, part;
  int jobs = 0;
  bool isolate = false, fail_fast = false, quiet = false;
};

/// "3/16": the third of sixteen.
bool read_part(const std::string& text, SweepOptions& options) {
  const std::size_t slash = text.find('/');
  const char* end = text.data() + text.size();
  if (slash == std::string::npos) return false;
  const auto first = std::from_chars(text.data(), text.data() + slash, options.part);
  const auto second = std::from_chars(text.data() + slash + 1, end, options.parts);
  return first.ec == std::errc() && first.ptr == text.data() + slash && second.ec == std::errc() && second.ptr == end &&
         options.part >= 1 && options.parts >= options.part && options.parts <= 1'000'000;
}

std::string figure_in_words(const SweepProgress::Figure& figure) {
  return fmt::format("{} {:.4g} ({:.4g} to {:.4g}){}", figure.name, figure.median, figure.least, figure.greatest,
                     figure.unit.empty() ? "" : " " + figure.unit);
}

/// How it goes: one line on a terminal that is written over and over, nothing elsewhere.
class SweepLine {
public:
  explicit SweepLine(bool quiet) : enabled_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  ~SweepLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  SweepLine(const SweepLine&) = delete;
  SweepLine& operator=(const SweepLine&) = delete;

  void show(const SweepProgress& now) {
    last_ = now;
    if (!enabled_) return;
    std::string line = fmt::format("{} of {} runs", now.done, now.total);
    if (now.rate > 0)
      line += fmt::format(", {:.4g}/s, {} left", now.rate,
                          duration_text(static_cast<double>(now.total - now.done) / now.rate));
    if (now.failed > 0) line += fmt::format(", {} failed", now.failed);
    for (const SweepProgress::Figure& figure : now.figures) line += "; " + figure_in_words(figure);
    std::fprintf(stderr, "\r\033[K%.*s", 110, line.c_str());
    std::fflush(stderr);
    shown_ = true;
  }
  const SweepProgress& last() const { return last_; }

private:
  bool enabled_, shown_ = false;
  SweepProgress last_;
};

void report(const SweepResult& result, const SweepProgress& last, const std::string& path, bool interrupted) {
  std::printf("runs     %lld of %lld are there, %lld made now%s\n", static_cast<long long>(result.there),
              static_cast<long long>(result.total), static_cast<long long>(result.made),
              result.made > 0 && result.time > 0 ? fmt::format(" in {} ({:.4g} a second)", duration_text(result.time),
                                                               static_cast<double>(result.made) / result.time)
                                                       .c_str()
                                                 : "");
  if (result.failed > 0) {
    const StudyRow& row = *result.first_failure;
    std::printf("failed   %lld; the first is run %lld: %s: %s\n", static_cast<long long>(result.failed),
                static_cast<long long>(row.run), row.ending.c_str(), row.cause.c_str());
  }
  for (const SweepProgress::Figure& figure : last.figures)
    std::printf("figure   %s\n", figure_in_words(figure).c_str());
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  std::printf("results  %s (%s)%s\n", path.c_str(), bytes_text(failed ? 0 : bytes).c_str(),
              interrupted ? "; the same command continues with it" : "");
}

int sweep_study(const SweepArguments& arguments) {
  if (arguments.study.file.empty()) {
    print_error("which study?\nhelp: hilda sweep STUDY.xml; hilda sweep --help lists more");
    return exit_usage;
  }
  SweepOptions options;
  if (!arguments.part.empty() && !read_part(arguments.part, options)) {
    print_error("'" + arguments.part + "' is not a part such as 3/16");
    return exit_usage;
  }
  const std::unique_ptr<LoadedStudy> study = load_study(arguments.study);
  if (!study) return exit_bad_file;
  if (!arguments.quiet)
    for (const std::string& remark : study->remarks()) print_note(remark);
  const std::string path = arguments.store.empty() ? own_store_path(study->study()) : arguments.store;
  std::string error;
  const Interrupt interrupt;
  Exit refused = exit_ok;
  std::unique_ptr<Store> store = write_store(path, *study, refused);
  if (!store) return refused;
  options.jobs = arguments.jobs;
  options.isolate = arguments.isolate, options.fail_fast = arguments.fail_fast;
  options.interrupt = &interrupt.flag();
  SweepResult result;
  SweepProgress last;
  {
    SweepLine line(arguments.quiet);
    options.progress = [&line](const SweepProgress& progress) { line.show(progress); };
    result = sweep(*study, *store, options);
    last = line.last();
  }
  std::int64_t kept = 0;
  const std::string logs = std::filesystem::path(path).replace_extension().string() + "_logs";
  RunOrigin origin;
  origin.version = this_program().version, origin.git = this_program().git;
  origin.plugins = &installation().host();
  const bool whole = result.there == result.total && result.error.empty() && result.faults.empty();
  if (whole && options.parts == 1 && !keep_logs(*study, *store, origin, logs, kept, error)) print_error(error);
  const bool interrupted = interrupt.flag();
  const bool ended = arguments.fail_fast && result.failed > 0;
  const bool goes_on = result.faults.empty() && result.there < result.total && !ended;
  const bool gone = close_store(store, path, !result.faults.empty()); // its file is as long as it stays then
  if (!arguments.quiet && !gone) report(result, last, path, goes_on);
  if (!arguments.quiet && kept > 0) std::printf("logs     %lld in %s\n", static_cast<long long>(kept), logs.c_str());
  std::fflush(stdout);
  if (!arguments.quiet)
    for (const Diagnostic& each : result.warnings.all()) std::fprintf(stderr, "%s\n", each.text().c_str());
  for (const Diagnostic& fault : result.faults) std::fprintf(stderr, "%s\n", fault.text().c_str());
  if (!result.error.empty()) {
    print_error(result.error + "\nhelp: the rows that were written are whole; the same command continues with them");
    return exit_failed_run;
  }
  if (!result.faults.empty()) return exit_bad_file;
  if (interrupted) return exit_interrupted;
  return ended || !error.empty() ? exit_failed_run : exit_ok;
}

} // namespace

void add_sweep(Program& program) {
  Command command = program.command("sweep", "Makes all runs of a study and keeps their figures");
  auto arguments = std::make_shared<SweepArguments>();
  command.option("STUDY", arguments->study.file, "Study file").option_text("FILE");
  command.option("-o,--output", arguments->store, "File of results (SQLite); out/NAME.sqlite if not given")
      .type_name("FILE");
  command.option("-j,--jobs", arguments->jobs, "Runs at a time; as many as there are processors if not given")
      .type_name("N")
      .between(1, 1024);
  command.option("--part", arguments->part, "One of n parts of the study, such as 3/16, for several machines")
      .type_name("K/N");
  command.flag("--isolate", arguments->isolate,
               "Worker processes instead of threads: a run that crashes or hangs is a row too");
  command.flag("--fail-fast", arguments->fail_fast, "End at the first run that fails");
  command.flag("--quiet", arguments->quiet, "Print errors only");
  add_plugin_option(command, arguments->study.plugins);
  add_sweep_check(command);
  add_sweep_show(command);
  add_sweep_rerun(command);
  add_sweep_merge(command);
  add_sweep_export(command);
  add_sweep_edge(command);
  add_sweep_optimise(command);
  add_sweep_plot(command);
  add_sweep_report(command);
  add_sweep_submit(command);
  add_sweep_status(command);
  add_sweep_cancel(command);
  command.footer("Each run is a row of the table `runs`, written once the run is over; Ctrl-C or any other end loses "
                 "the runs under\n"
                 "way, and the same command continues. A run that fails is a row with its cause.\n"
                 "Examples:\n"
                 "  hilda sweep check studies/delays.xml\n"
                 "  hilda sweep studies/delays.xml -j 4 -o delays.sqlite\n"
                 "  hilda sweep show 17 delays.sqlite\n"
                 "  hilda sweep rerun 17 delays.sqlite --log run17.mcap\n"
                 "  hilda sweep studies/delays.xml --part 1/2 -o part1.sqlite\n"
                 "  hilda sweep merge part1.sqlite part2.sqlite -o delays.sqlite\n"
                 "  hilda sweep export delays.sqlite --csv -o delays.csv");
  command.runs([arguments] { return sweep_study(*arguments); });
}

} // namespace hilda::cli
