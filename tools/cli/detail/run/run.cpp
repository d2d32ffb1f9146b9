// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/run.h"

#include "engine/base/budget.h"
#include "engine/base/left_behind.h"
#include "engine/diagram/used_plugins.h"
#include "engine/run/loop_trap.h"
#include "engine/session/live_simulation.h"
#include "engine/session/profile_report.h"
#include "engine/session/simulation.h"
#include "tools/cli/detail/console/conversation.h"
#include "tools/cli/detail/console/paced_commands.h"
#include "tools/cli/detail/loading/origin.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/keep_state.h"
#include "tools/cli/detail/run/replay_run.h"
#include "tools/cli/detail/run/report.h"
#include "tools/cli/detail/run/run_desk.h"
#include "tools/cli/detail/run/run_outputs.h"
#include "tools/cli/detail/run/watch.h"

#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

/// One run from the file to its report.
class SimulatedRun {
public:
  explicit SimulatedRun(const RunArguments& arguments, Serving* serving = nullptr)
      : arguments_(arguments), serving_(serving), loaded_(std::make_unique<CommandDiagram>(arguments.diagram)),
        interrupt_({1, arguments.paced.detach}) {
    recall_edits(*loaded_);
  }

  int operator()() {
    if (const Exit problem = prepare(); problem != exit_ok) {
      broken_ = problem == exit_bad_file;
      return stuck(problem);
    }
    if (!arguments_.quiet) print_diagnostics(loaded_->diagnostics()); // warnings
    if (const Exit problem = open_outputs(); problem != exit_ok) return problem;
    if (!start()) return interrupt_.flag() ? given_up() : stuck(exit_failed_run);
    SimulationResult result = paced_ ? pace() : works_with() ? work_with() : simulate();
    stop_run(*runtime_, result);
    const int ended = finish(result);
    tell_left_behind();
    return stuck_ ? *stuck_ : ended;
  }

  /// The diagram has errors, and nothing was started.
  bool broken() const { return broken_; }
  const Diagnostics& found() const { return loaded_->diagnostics(); }

private:
  /// Edited texts replace the files.
  void recall_edits(CommandDiagram& diagram) const {
    if (serving_ != nullptr && serving_->editing() != nullptr) diagram.recall(serving_->editing()->unsaved_texts());
  }

  Exit prepare() {
    loaded_->take_times();
    std::optional<System> system = loaded_->check(arguments_.diagram.mode);
    if (!system) return exit_bad_file;
    if (const std::string misuse = PacedRun::misuse(*system, arguments_.paced); !misuse.empty()) {
      print_error(misuse);
      return exit_usage;
    }
    if (arguments_.watch && PacedRun::wanted(*system, arguments_.paced)) {
      print_error("--watch is for simulation, and a block of this diagram touches the world outside" +
                  std::string("\nhelp: choose --mode sim, or run it without --watch"));
      return exit_usage;
    }
    if (arguments_.serve.studio && PacedRun::wanted(*system, arguments_.paced)) {
      print_error("studio is for simulation, and a block of this diagram touches the world outside\n"
                  "help: choose --mode sim; 'hilda run --serve' lets others look at a run on hardware");
      return exit_usage;
    }
    RuntimeOptions options;
    if (PacedRun::wanted(*system, arguments_.paced)) paced_.emplace(*system, arguments_.paced);
    settle_duration(*system);
    remark_late_settings(*system);
    if (paced_ && !loaded_->timed().empty()) {
      print_error("an overlay sets '" + loaded_->timed().front().first_path() +
                  "' at a time, and a run that is paced takes nothing at set times\nhelp: leave it out; --console sets "
                  "by hand");
      return exit_usage;
    }
    options.separate = LoopTrap::watched() || arguments_.profile;
    options.solver = arguments_.solver.choice();
    if (arguments_.profile) options.observer = &profile_.emplace();
    if (paced_) paced_->choose(options, profile_ ? &*profile_ : nullptr);
    {
      const BudgetGuard guard(budget(), end_for_budget);
      if (loaded_->diagnostics().ok()) runtime_ = Runtime::create(std::move(*system), options, loaded_->diagnostics());
    }
    if (!arguments_.quiet)
      for (const std::string& each : loaded_->remarks()) remark(each);
    if (!runtime_) return exit_bad_file;
    if (profile_) profile_->bind(runtime_->system());
    return paced_ ? paced_->prepare(*runtime_, loaded_->diagnostics()) : exit_ok;
  }

  bool start() {
    Diagnostics starting;
    const bool started = runtime_->start(starting);
    if (started && !arguments_.quiet) print_diagnostics(starting); // warnings
    loaded_->diagnostics().take(starting, false);
    return started;
  }

  void settle_duration(const System& system) {
    limit_ = time_limit(system, arguments_.duration, loaded_->diagnostics());
    if (limit_ || !loaded_->diagnostics().ok() || arguments_.serve.studio) return;
    if (paced_) return remark("neither --for nor a parameter 'duration' says how long: until Ctrl-C");
    remark(fmt::format("neither --for nor a parameter 'duration' says how long: {} s", default_duration));
    limit_ = default_duration;
  }

  /// What an overlay sets when the run is over already.
  void remark_late_settings(const System& system) const {
    if (!limit_) return;
    const std::int64_t last = ticks_in(limit_, system.base);
    for (const TimedChange& timed : loaded_->timed())
      for (const Attribute& setting : timed.settings)
        if (timed.tick >= last)
          remark(fmt::format("an overlay sets '{}' at {} s, and the run ends at {} s: that stays unused", setting.name,
                             (Rational(timed.tick) * system.base).value(), *limit_));
  }

  int stuck(Exit exit) {
    print_diagnostics(loaded_->diagnostics());
    return exit;
  }

  /// Ctrl-C while a device was waited for: what that device would say of its patience is next to the point.
  static int given_up() {
    print_error("interrupted while devices were being connected; nothing moved");
    return exit_interrupted;
  }

  void remark(const std::string& text) const {
    if (!arguments_.quiet) print_note(text);
  }

  RunLogOptions log_options() const {
    RunLogOptions options;
    if (serving_ != nullptr) options.tap = &serving_->hub();
    return options;
  }

  Exit open_outputs() {
    RunLogOptions options = log_options();
    if (limit_) options.ticks = ticks_in(limit_, runtime_->base());
    options.may_end_earlier = arguments_.duration.empty(); // the diagram's duration is often a limit: a block ends it
    if (paced_) paced_->choose(options, *runtime_);
    const bool own_log = !arguments_.no_log && arguments_.log.empty();
    return outputs_.open(*loaded_, *runtime_, own_log ? own_log_path(arguments_.diagram.file) : "", options);
  }

  SimulationResult simulate() {
    ProgressLine line(arguments_.quiet);
    SimulationOptions options;
    options.duration = limit_;
    options.interrupt = &interrupt_.flag();
    options.progress = [&line](const Progress& progress) { line.show(progress); };
    LoopWatch watch;
    options.watch = &watch;
    SimulationResult result = session::simulate(*runtime_, outputs_.recorder(), options);
    line.clear();
    Diagnostics found;
    watch.report(runtime_->system().where, found);
    if (!arguments_.quiet) print_diagnostics(found);
    return result;
  }

  /// Someone sits at the console, or an overlay sets something while it runs.
  bool works_with() const {
    return serving_ != nullptr || arguments_.console || arguments_.keep_state || !loaded_->timed().empty();
  }

  BuiltDiagram build(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics) {
    DiagramArguments again = loaded_->arguments();
    for (const LiveSetting& each : settings) again.settings.push_back(each.path + "=" + each.text);
    auto loaded = std::make_unique<CommandDiagram>(again);
    loaded->take_times();
    recall_edits(*loaded);
    std::optional<System> system = loaded->check(again.mode);
    RuntimeOptions options;
    options.separate = LoopTrap::watched();
    options.solver = arguments_.solver.choice();
    std::unique_ptr<Runtime> made;
    if (system && loaded->diagnostics().ok())
      made = Runtime::create(std::move(*system), options, loaded->diagnostics());
    if (made && !made->start(loaded->diagnostics())) made.reset();
    diagnostics.take(loaded->diagnostics(), false);
    if (!made) return {};
    built_ = std::move(loaded);
    built_texts_ = studio::texts_of(made->system());
    return {std::move(made), built_->timed()};
  }

  void adopt_built() {
    earlier_.push_back(std::move(loaded_));
    loaded_ = std::move(built_);
    texts_ = std::move(built_texts_);
  }

  LiveSimulation::Hooks hooks(ProgressLine& line) {
    LiveSimulation::Hooks hooks;
    hooks.build = [this](const auto& settings, Diagnostics& diagnostics) { return build(settings, diagnostics); };
    hooks.adopted = [this] { adopt_built(); };
    hooks.next_log = [this](const Runtime& runtime, const std::vector<TakenChange>& live,
                            const SimulationResult& so_far) {
      RunLogOptions options = log_options();
      options.live = live;
      return outputs_.next(*loaded_, runtime, options, so_far);
    };
    hooks.progress = [&line](const Progress& progress) { line.show(progress); };
    return hooks;
  }

  SimulationResult work_with() {
    ProgressLine line(arguments_.quiet);
    texts_ = studio::texts_of(runtime_->system());
    LiveSimulation simulation({std::move(runtime_), loaded_->timed()}, outputs_.recorder(), limit_, &interrupt_.flag(),
                              hooks(line), arguments_.console || serving_ != nullptr);
    if (serving_ != nullptr) {
      serve_simulation(simulation, *serving_, desk(), interrupt_.flag());
      if (interrupt_.flag()) stuck_ = arguments_.serve.studio ? exit_ok : exit_interrupted;
    } else if (arguments_.console) {
      stuck_ = converse(simulation, interrupt_, *loaded_, line);
    } else if (arguments_.keep_state) {
      follow_edits(simulation, arguments_.diagram, interrupt_, line);
      if (interrupt_.flag()) stuck_ = exit_interrupted;
    } else {
      Diagnostics diagnostics;
      simulation.run_to(simulation.last(), diagnostics);
      print_diagnostics(diagnostics);
      if (!diagnostics.ok()) stuck_ = exit_bad_file;
    }
    SimulationResult result = simulation.so_far();
    runtime_ = simulation.release();
    return result;
  }

  RunDesk desk() {
    return {arguments_,
            desk_files_,
            [this]() -> const CommandDiagram& { return *loaded_; },
            [this] { return outputs_.log_path(); },
            serving_ != nullptr ? serving_->editing() : nullptr,
            [this] { return texts_; },
            [this] { return outputs_.log_lost(); }};
  }

  SimulationResult pace() {
    interrupt_.set_patience(2);
    std::unique_ptr<PacedAttendant> attendant;
    if (arguments_.console) attendant = std::make_unique<PacedCommands>(*runtime_, interrupt_, paced_->runs());
    if (serving_ != nullptr) attendant = serve_paced(*runtime_, *serving_, desk(), paced_->touches(), paced_->runs());
    return paced_->run(*runtime_, outputs_.recorder(), interrupt_, limit_, arguments_.quiet, attendant.get(),
                       arguments_.console);
  }

  int finish(const SimulationResult& result) {
    const SummaryFigures figures = gather_figures(*runtime_);
    for (const std::string& problem : figures.problems) print_error(problem);
    const bool kept = keep(result, figures) && figures.problems.empty();
    if (!arguments_.quiet) report(result, figures);
    if (result.reason == SimulationResult::Reason::failed) {
      std::fflush(stdout);
      print_failure(result.ending);
      return exit_failed_run;
    }
    if (result.reason == SimulationResult::Reason::interrupted) return exit_interrupted;
    return kept ? exit_ok : exit_failed_run;
  }

  /// At the end of a plain run: a server has threads, too.
  void tell_left_behind() {
    if (serving_ != nullptr) return;
    const Location where = runtime_->system().where;
    const std::set<std::string> plugins = used_plugins(runtime_->system());
    runtime_.reset(); // a block may end its threads in its destructor
    Diagnostics found;
    behind_.report(where, plugins, found);
    if (!arguments_.quiet) print_diagnostics(found);
  }

  /// Log and summary; false where one of them is not whole.
  bool keep(const SimulationResult& result, const SummaryFigures& figures) {
    Summary summary = summary_document(*runtime_, result, origin_of(*loaded_), figures, outputs_.log_path());
    if (paced_) summary["realtime"] = paced_->document(*runtime_);
    if (profile_) summary["profile"] = profile_document(profile_->figures());
    const bool whole = outputs_.close(result, summary, true);
    return whole && (!paced_ || paced_->log_complete());
  }

  void report(const SimulationResult& result, const SummaryFigures& figures) const {
    print_figures(figures);
    print_account(runtime_->ledger());
    if (paced_) paced_->report(*runtime_);
    if (profile_) std::fputs(profile_text(profile_->figures()).c_str(), stdout);
    print_result(*runtime_, result);
    outputs_.report();
  }

  const RunArguments& arguments_;
  Serving* const serving_;
  const LeftBehind behind_; // before plugins are loaded
  bool broken_ = false;
  std::unique_ptr<CommandDiagram> loaded_;
  std::vector<std::string> texts_, built_texts_;         ///< of the parameters of both, as their files have them
  std::unique_ptr<CommandDiagram> built_;                ///< again; whether the run continues in it is not settled
  std::vector<std::unique_ptr<CommandDiagram>> earlier_; ///< of runtimes that the run has left
  Interrupt interrupt_;                                  // from here on, so that a log that was opened is closed
  std::optional<double> limit_;
  std::optional<LoopProfile> profile_; // the runtime's observer
  std::optional<PacedRun> paced_;
  std::unique_ptr<Runtime> runtime_;
  RunOutputs outputs_{arguments_};
  OutputFiles desk_files_;    ///< that clients have written
  std::optional<Exit> stuck_; ///< a command or a timed setting was refused
};

/// What does not go with --profile; empty: nothing.
std::string profile_misuse(const RunArguments& arguments) {
  if (!arguments.profile) return {};
  if (arguments.quiet && arguments.no_log && arguments.summary.empty())
    return "with --quiet and --no-log nothing shows what --profile measures\nhelp: leave --quiet out, or name a file "
           "with --summary";
  const bool other = arguments.console || arguments.keep_state || arguments.serve.serve;
  if (!other && arguments.diagram.mode != "replay") return {};
  return "--profile measures one run from its first step to its last, and does not go with --console, --keep-state, "
         "--serve or --mode replay\nhelp: leave one of them out";
}

} // namespace

std::optional<int> run_served(const RunArguments& arguments, Serving& serving, Diagnostics& found) {
  SimulatedRun run(arguments, &serving);
  const int code = run();
  if (!run.broken()) return code;
  found.take(run.found(), false);
  return std::nullopt;
}

int run_diagram(const RunArguments& arguments) {
  if (arguments.diagram.mode == "replay") return replay_log(arguments);
  if (arguments.serve.serve) {
    Serving serving(arguments.serve);
    if (const Exit problem = serving.open(); problem != exit_ok) return problem;
    Diagnostics found;
    return run_served(arguments, serving, found).value_or(exit_bad_file);
  }
  if (arguments.replayed.empty()) return SimulatedRun(arguments)();
  if (arguments.replayed.find('=') != std::string::npos) {
    print_error("'" + arguments.replayed + "' is not a file\nhelp: a parameter is set by --set " + arguments.replayed);
    return exit_usage;
  }
  print_error("two files are given: " + arguments.diagram.file + " and " + arguments.replayed +
              "\nhelp: a log next to the diagram goes with --mode replay");
  return exit_usage;
}

void add_run_options(Command command, const std::shared_ptr<RunArguments>& arguments) {
  add_paced_arguments(command, arguments->paced);
  add_duration_option(command, arguments->duration, "Simulated time, instead of the diagram's parameter 'duration'");
  const Option log = command.option("--log", arguments->log, "Log of every output (MCAP); out/NAME.mcap if not given")
                         .type_name("FILE");
  command.flag("--no-log", arguments->no_log, "Record nothing").excludes(log);
  command.flag("--log-all", arguments->log_all, "Record also what blocks leave out of the log, such as large matrices");
  command.option("--summary", arguments->summary, "Figures, contacts and all parameters as JSON, in SI")
      .type_name("FILE");
  add_solver_arguments(command, arguments->solver);
  command.flag("--console", arguments->console,
               "A prompt next to the run: set, get, step, run, to, back, reload, save; 'help' lists them");
  command
      .option("--serve", arguments->serve.port,
              "Let others watch: Foxglove, Lichtblick, PlotJuggler and a browser; port 8765 if not given")
      .type_name("[PORT]")
      .optional_value();
  add_serve_arguments(command, arguments->serve);
  command.flag("--operate", arguments->serve.operate, "With --serve on hardware: they may change live parameters");
  command.flag("--profile", arguments->profile,
               "Measure how long each block works in a step: a table, and 'profile' in the summary");
  command.flag("--quiet", arguments->quiet, "Print errors only");
}

int run_as_told(RunArguments& arguments, std::string misuse, int (*run)(const RunArguments&)) {
  arguments.diagram.solver = arguments.solver.choice();
  if (misuse.empty()) misuse = serve_misuse(arguments);
  if (misuse.empty()) misuse = profile_misuse(arguments);
  if (misuse.empty()) return run(arguments);
  print_error(misuse);
  return exit_usage;
}

void add_run(Program& program) {
  Command command = program.command("run", "Runs a diagram in simulation or on hardware, records it and reports");
  auto arguments = std::make_shared<RunArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.option("LOG", arguments->replayed, "With --mode replay: the log to feed back").option_text("FILE");
  add_run_options(command, arguments);
  command.flag("--watch", arguments->watch,
               "In simulation: run again whenever a file of the diagram or a plugin changes, until Ctrl-C");
  command.flag("--keep-state", arguments->keep_state,
               "With --watch: do not run again, continue in the changed diagram with the states kept");
  command.footer(
      "The run ends after its duration, by a block (Stop, Assert, number of contacts) or by Ctrl-C; the log is\n"
      "complete in each case. A run that fails says when, in which block and which signal, and exits with 3.\n"
      "--mode replay LOG feeds a log's measurements back and says whether every bit comes out as recorded; with "
      "another\n"
      "diagram or --set it shows what that would have done on these measurements.\n"
      "On hardware each end is a ramp to rest; a second Ctrl-C ends at once. A lost terminal and every other signal "
      "that\n"
      "can be caught end a run as Ctrl-C does; with --detach a lost terminal does not. Without --arm nothing moves.\n"
      "Examples:\n"
      "  hilda run diagrams/pida.xml\n"
      "  hilda run diagrams/pida.xml --set response_delay=20ms --set lead.time_constant=4ms\n"
      "  hilda run diagrams/pida.xml --overlay noisy.xml --for 20s --log noisy.mcap --summary noisy.json\n"
      "  hilda run diagrams/pida.xml --rig diagrams/rigs/room.xml\n"
      "  hilda run diagrams/pida.xml --watch\n"
      "  hilda run diagrams/pida.xml --watch --keep-state\n"
      "  hilda run diagrams/pida.xml --console\n"
      "  hilda run diagrams/pida.xml --realtime --serve\n"
      "  hilda run diagrams/pida.xml --mode hardware --rig diagrams/rigs/kuka_ati.xml --arm\n"
      "  hilda run --mode replay out/pida.mcap\n"
      "  hilda run diagrams/dac.xml --mode replay out/pida.mcap");
  const Option serve = command.get_option("--serve");
  command.runs([arguments, serve]() -> int {
    arguments->serve.serve = serve.given();
    const bool again = arguments->watch && !arguments->keep_state;
    return run_as_told(*arguments, watch_misuse(*arguments), again ? run_watched : run_diagram);
  });
}

} // namespace hilda::cli
