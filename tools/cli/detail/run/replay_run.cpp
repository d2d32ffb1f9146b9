// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/replay_run.h"

#include "engine/base/budget.h"
#include "engine/plugin/arithmetic.h"
#include "engine/quantity/value.h"
#include "engine/session/loop_clock.h"
#include "engine/session/replay.h"
#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/loading/origin.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/report.h"
#include "tools/cli/detail/run/run_outputs.h"
#include "tools/cli/version.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace hilda::cli {
namespace {

constexpr std::size_t most_listed = 20;

std::string difference_text(const Difference& d, const Rational& period) {
  const std::string unit = d.unit.empty() ? "" : " " + d.unit;
  return fmt::format("{} at t = {} s (tick {}): {:.17g}{} was recorded, {:.17g}{} is computed", d.signal,
                     decimal(seconds_at(period, d.tick)), d.tick, d.recorded, unit, d.computed, unit);
}

/// Another diagram or other values: not whether the log comes out again, but what would have been.
bool what_if(const RunArguments& arguments) {
  const DiagramArguments& given = arguments.diagram;
  return !arguments.replayed.empty() || !given.rig.empty() || !given.settings.empty() || !given.overlays.empty();
}

/// An option that says how a run is made, and a replay is made as its log was; null: none is given.
const char* option_of_runs(const RunArguments& arguments) {
  const PacedArguments& paced = arguments.paced;
  const SolverArguments& solver = arguments.solver;
  for (const auto& [given, name] : {std::pair(!arguments.duration.empty(), "--for"),
                                    {!solver.name.empty(), "--solver"},
                                    {!solver.rtol.empty(), "--rtol"},
                                    {!solver.atol.empty(), "--atol"},
                                    {!solver.max_step.empty(), "--max-step"},
                                    {paced.arm, "--arm"},
                                    {paced.dry_run, "--dry-run"},
                                    {paced.realtime, "--realtime"},
                                    {paced.require_realtime, "--require-realtime"},
                                    {paced.witness, "--witness"},
                                    {paced.time_blocks, "--time-blocks"},
                                    {paced.detach, "--detach"},
                                    {!paced.allowed_unsafe.empty(), "--allow-unsafe-block"}})
    if (given) return name;
  return nullptr;
}

/// What does not go with a replay; empty: nothing.
std::string replay_misuse(const RunArguments& arguments) {
  if (arguments.console)
    return "--console is for a run that continues, and a replay is over\nhelp: run the diagram with --console";
  if (const char* const name = option_of_runs(arguments))
    return fmt::format("{} says how a run is made, and --mode replay takes the duration, solver and pace of its log\n"
                       "help: leave it out",
                       name);
  const bool recorded = !arguments.no_log && (!arguments.log.empty() || what_if(arguments));
  if (arguments.log_all && !recorded)
    return "--log-all says what is recorded, and this replay records nothing\nhelp: add --log FILE, or leave it out";
  return {};
}

/// One replay from the log to its verdict.
class ReplayRun {
public:
  explicit ReplayRun(const RunArguments& arguments)
      : arguments_(arguments), log_file_(arguments.replayed.empty() ? arguments.diagram.file : arguments.replayed),
        other_diagram_(!arguments.replayed.empty()) {}

  int operator()() {
    if (!open_recording()) return exit_bad_file;
    if (!prepare()) {
      if (loaded_) print_diagnostics(loaded_->diagnostics());
      return exit_bad_file;
    }
    if (!arguments_.quiet) print_diagnostics(loaded_->diagnostics());
    if (const Exit problem = open_outputs(); problem != exit_ok) return problem;
    result_ = replay_->run(*runtime_, *tuning_, outputs_.recorder(), *comparison_, &interrupt_.flag());
    return finish();
  }

private:
  bool asks_what_if() const { return what_if(arguments_); }

  void remark(const std::string& text) const {
    if (!arguments_.quiet) print_note(text);
  }

  bool open_recording() {
    std::string error;
    if (auto opened = Log::open(log_file_, error)) recording_.emplace(std::move(*opened)).keep_damaged();
    if (recording_) recorded_ = read_recorded_run(*recording_, error);
    if (!recording_ || !recorded_) {
      print_error(error + "\nhelp: hilda run [DIAGRAM] --mode replay LOG takes a log that hilda run has written");
      return false;
    }
    if (recorded_->began) return true;
    print_error(log_file_ + ": the devices were held until the end, there is no tick to replay");
    return false;
  }

  bool prepare() {
    DiagramArguments diagram = arguments_.diagram;
    if (!other_diagram_) diagram.file = recorded_->diagram;
    diagram.mode = recorded_->mode;
    if (diagram.rig.empty()) diagram.rig = recorded_->rig;
    diagram.settings.insert(diagram.settings.begin(), recorded_->settings.begin(), recorded_->settings.end());
    diagram.overlays.insert(diagram.overlays.begin(), recorded_->overlays.begin(), recorded_->overlays.end());
    diagram.solver = recorded_->solver;
    loaded_.emplace(diagram);
    if (!other_diagram_) loaded_->recall(recorded_->files);
    loaded_->take_times(PlayedFiles::unread); // the log has them as events
    std::optional<System> system = loaded_->check(diagram.mode);
    if (!system) {
      if (other_diagram_) name_recorded_settings();
      return false;
    }
    for (const std::string& each : loaded_->remarks()) remark(each);
    if (!takes_no_times()) return false;
    compare_programs();
    replay_.emplace(*recording_, *recorded_);
    RuntimeOptions options;
    options.solver = recorded_->solver;
    options.hardware = recorded_->hardware;
    if (touches_world(*system)) {
      options.replay = &*replay_;
    } else if (asks_what_if()) {
      options.replay = &*replay_;
      options.observer = &*replay_;
      options.separate = true;
      rig_ = "rig";
    }
    {
      const BudgetGuard guard(budget(), end_for_budget);
      runtime_ = Runtime::create(std::move(*system), options, loaded_->diagnostics());
    }
    if (!runtime_) return false;
    const std::string misfit = replay_->bind(*runtime_, rig_);
    if (!misfit.empty()) {
      print_error(log_file_ + ": " + misfit + "\nhelp: replay it with the diagram, mode and rig that it was made with");
      return false;
    }
    tuning_.emplace(*runtime_);
    if (const std::string other = replay_->begin(*runtime_, *tuning_); !other.empty()) {
      print_error(log_file_ + ": " + other + "\nhelp: a log that begins within a run replays with its own diagram");
      return false;
    }
    comparison_.emplace(*runtime_, *recording_);
    return true;
  }

  /// A replay sets what the log has set, when it did. False after a word: an overlay that is given next to it has
  /// times.
  bool takes_no_times() const {
    for (const TimedChange& timed : loaded_->timed())
      for (const Attribute& setting : timed.settings)
        if (!takes_no_time(setting.where, "sets '" + setting.name + "' at a time")) return false;
    for (const PlayedSetting& each : loaded_->played())
      if (!takes_no_time(each.path.where, "plays a recording on '" + each.path.text + "'")) return false;
    return true;
  }

  /// False after a word, where an overlay that is given says so.
  bool takes_no_time(Location where, const std::string& what) const {
    const std::vector<std::string>& given = arguments_.diagram.overlays;
    if (std::find(given.begin(), given.end(), *where.file) == given.end()) return true;
    print_error(*where.file + " " + what +
                ", and a replay sets at their times what the log has\nhelp: give an overlay without times");
    return false;
  }

  /// Who gave no --set wonders what the command line's settings are that another diagram does not know.
  void name_recorded_settings() const {
    for (const std::string& each : recorded_->settings) remark(fmt::format("--set {} comes from {}", each, log_file_));
  }

  /// Another program or plugin may give other bits: that is not an error, but the first thing to know where they
  /// differ.
  void compare_programs() {
    if (const std::string other = other_mathematics(recorded_->mathematics); !other.empty()) remark(other);
    if (recorded_->version != version)
      remark(fmt::format("the log was made by hilda {}, this is {}", recorded_->version, version));
    for (const auto& [name, hash] : plugin_host().hashes()) {
      const auto found = recorded_->plugins.find(name);
      if (found != recorded_->plugins.end() && found->second != hash)
        remark(fmt::format("plugin {} is not the one of the log: {} was recorded, {} is loaded", name, found->second,
                           hash));
    }
  }

  /// Where another method is tried, its signals are required; else the log has them already.
  Exit open_outputs() {
    outputs_.reads(recording_->path());
    RunLogOptions options;
    options.metadata["replay_of"] = log_file_;
    const bool own_log = !arguments_.no_log && arguments_.log.empty() && asks_what_if();
    return outputs_.open(*loaded_, *runtime_, own_log ? own_log_path(loaded_->arguments().file, "_replay") : "",
                         options);
  }

  int finish() {
    recording_->verify();
    findings_ = comparison_->findings();
    const SummaryFigures figures = gather_figures(*runtime_);
    const bool kept = keep(figures);
    if (!arguments_.quiet && asks_what_if()) print_figures(figures);
    for (const std::string& problem : recording_->problems()) print_error(problem);
    if (!arguments_.quiet || !same()) report();
    if (result_.run.reason == SimulationResult::Reason::interrupted && interrupt_.flag()) return exit_interrupted;
    if (!kept) return exit_failed_run;
    if (asks_what_if() ? result_.gap.empty() && !recording_->damaged() : same()) return exit_ok;
    const bool differs = asks_what_if() ? !result_.gap.empty()
                                        : !findings_.empty() || !result_.gap.empty() || result_.other_end ||
                                              !comparison_->only_recorded().empty();
    return differs ? exit_failed_run : exit_bad_file;
  }

  /// The log was reproduced as far as it goes.
  bool same() const {
    return findings_.empty() && result_.gap.empty() && !result_.other_end && comparison_->only_recorded().empty() &&
           comparison_->samples() > 0 && !recording_->damaged();
  }

  bool keep(const SummaryFigures& figures) {
    Summary summary = summary_document(*runtime_, result_.run, origin_of(*loaded_), figures, outputs_.log_path());
    summary["replay"] = document();
    return outputs_.close(result_.run, summary, false);
  }

  nlohmann::ordered_json document() const {
    nlohmann::ordered_json replay{{"log", log_file_},
                                  {"ticks", result_.recorded_ticks},
                                  {"signals", comparison_->signals()},
                                  {"identical", same()},
                                  {"open_loop", asks_what_if() && replay_->open_loop()},
                                  {"differing", findings_.size()}};
    if (findings_.empty()) return replay;
    const Difference& first = findings_.front().first;
    replay["first_difference"] = {{"signal", first.signal},
                                  {"tick", first.tick},
                                  {"time", seconds_at(runtime_->base(), first.tick)},
                                  {"recorded", first.recorded},
                                  {"computed", first.computed}};
    return replay;
  }

  void report() const {
    std::fputs(fmt::format("replayed {}: {} ticks, {} signals, {} samples\n", log_file_, result_.recorded_ticks,
                           comparison_->signals(), comparison_->samples())
                   .c_str(),
               stdout);
    if (!recording_->complete()) std::printf("the log is cut: it was replayed as far as it goes\n");
    if (!result_.gap.empty()) print_error(log_file_ + ": " + result_.gap);
    asks_what_if() ? report_what_if() : report_verdict();
    outputs_.report();
  }

  void report_verdict() const {
    if (same()) return void(std::printf("every bit is as recorded\n"));
    std::fflush(stdout);
    for (const std::string& name : comparison_->only_recorded())
      print_error(name + " is in the log, but the diagram does not have it");
    if (result_.other_end) print_error("the log continues where the replay ended: " + ending_text());
    if (comparison_->samples() == 0) print_error(log_file_ + ": nothing was compared, the log holds no sample");
    if (findings_.empty() && recording_->damaged())
      print_error(log_file_ + ": what could be read is as recorded, but the log is damaged and proves nothing");
    if (findings_.empty()) return;
    print_error(fmt::format("{} of {} signals differ; the first: {}", findings_.size(), comparison_->signals(),
                            difference_text(findings_.front().first, runtime_->base())));
  }

  std::string ending_text() const {
    const Ending& ending = result_.run.ending;
    return fmt::format("{}{}{} in tick {}", ending.block, ending.block.empty() ? "" : ": ", ending.text, ending.tick);
  }

  void report_what_if() const {
    if (replay_->open_loop())
      std::printf("THE LOOP WAS OPEN: the measurements%s are those of the recorded run and do not answer to what this "
                  "one commands.\n",
                  rig_.empty() ? "" : ", all that comes from the rig,");
    else
      std::printf("the log holds no measurements and the diagram has no rig that it could replace: this was a "
                  "simulation next to it, in closed loop\n");
    if (result_.other_end) std::printf("the run ended by itself: %s\n", ending_text().c_str());
    const std::size_t apart = comparison_->only_computed().size() + comparison_->only_recorded().size();
    std::printf("%zu of %zu signals that both have differ%s\n", findings_.size(), comparison_->signals(),
                apart > 0 ? fmt::format("; {} are on one side only", apart).c_str() : "");
    for (std::size_t i = 0; i < std::min(findings_.size(), most_listed); ++i) {
      const Difference& worst = findings_[i].worst;
      std::printf("  %-36s from t = %-8s worst at %-8s %.6g recorded, %.6g now%s%s\n", worst.signal.c_str(),
                  decimal(seconds_at(runtime_->base(), findings_[i].first.tick)).c_str(),
                  decimal(seconds_at(runtime_->base(), worst.tick)).c_str(), worst.recorded, worst.computed,
                  worst.unit.empty() ? "" : " ", worst.unit.c_str());
    }
    if (findings_.size() > most_listed) std::printf("  and %zu more\n", findings_.size() - most_listed);
  }

  const RunArguments& arguments_;
  const std::string log_file_;
  const bool other_diagram_;
  Interrupt interrupt_;
  std::optional<Log> recording_;
  std::optional<RecordedRun> recorded_;
  std::optional<CommandDiagram> loaded_;
  std::optional<Replay> replay_;
  std::unique_ptr<Runtime> runtime_;
  std::optional<Tuning> tuning_;
  std::optional<Comparison> comparison_;
  std::string rig_;
  RunOutputs outputs_{arguments_};
  Replay::Ending result_;
  std::vector<Comparison::Finding> findings_;
};

} // namespace

int replay_log(const RunArguments& arguments) {
  const std::string misuse = replay_misuse(arguments);
  if (misuse.empty()) return ReplayRun(arguments)();
  print_error(misuse);
  return exit_usage;
}

} // namespace hilda::cli
