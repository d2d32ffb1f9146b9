// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/hardware_run.h"

#include "engine/base/word_list.h"
#include "engine/session/realtime_report.h"
#include "tools/cli/detail/console/signal_value.h"
#include "tools/cli/detail/program/standstill.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace hilda::cli {
namespace {

/// s that a block may be in one call while devices move: they have stopped by their own time-out long since.
constexpr double longest_call = 2;

/// The line of a paced run on stderr; nothing where that is not a terminal.
class StatusLine {
public:
  explicit StatusLine(bool quiet) : enabled_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  ~StatusLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const PacedProgress& now) {
    if (!enabled_) return;
    const Ink ink = now.state == OperatorState::running    ? Ink::green
                    : now.state == OperatorState::stopping ? Ink::red
                                                           : Ink::yellow;
    const std::string state = on_stderr(ink, fmt::format("{:<8}", state_name(now.state)));
    const std::string line = // within 80 columns
        fmt::format("{} t = {:.1f} s, {} lost, {} late, {} overruns, slowest reply {}", state, now.time, now.lost,
                    now.late, now.overruns, duration_in_words(static_cast<std::int64_t>(now.slowest_reply * 1e9)));
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
    shown_ = true;
  }

private:
  bool enabled_, shown_ = false;
};

/// What the devices reported last.
void print_measurements(const Runtime& runtime) {
  for (const SystemSignal& signal : runtime.signals()) {
    const Slot& slot = runtime.memory().layout(signal.block).slots[signal.slot];
    if (slot.is(HILDA_MEASUREMENT)) std::printf("  %-28s%s\n", signal.path.c_str(), value_text(signal).c_str());
  }
}

/// Blocks that say themselves that they may allocate or wait in the loop, on hardware; empty: none but those allowed.
std::string unsafe_blocks(const System& system, const std::vector<std::string>& allowed) {
  std::string found, named;
  for (const SystemBlock& block : system.blocks) {
    if ((block.type->abi->flags & HILDA_REALTIME_UNSAFE) == 0) continue;
    if (std::find(allowed.begin(), allowed.end(), block.path) != allowed.end()) continue;
    add_word(found, block.path + " (" + block.type->name + ")");
    named += " --allow-unsafe-block " + block.path;
  }
  if (!found.empty())
    return fmt::format("not safe in real time, and this run moves devices: {}\n"
                       "help: their authors say that they may allocate or wait while the loop runs; take them out, or "
                       "allow each:{}",
                       found, named);
  for (const std::string& path : allowed)
    if (std::none_of(system.blocks.begin(), system.blocks.end(), [&path](const SystemBlock& block) {
          return block.path == path && (block.type->abi->flags & HILDA_REALTIME_UNSAFE) != 0;
        }))
      return fmt::format("--allow-unsafe-block {}: no block of that path is unsafe in real time", path);
  return {};
}

} // namespace

void add_paced_arguments(Command command, PacedArguments& arguments) {
  command.flag("--arm", arguments.arm, "Let the diagram move the devices; without it they are held where they are");
  command.flag("--dry-run", arguments.dry_run, "Do all but send to the devices");
  command.flag("--realtime", arguments.realtime, "Pace also a plain simulation, by the timer");
  command.flag("--require-realtime", arguments.require_realtime,
               "Refuse to run where the loop cannot have its priority, processors or locked memory");
  command.flag("--witness", arguments.witness,
               "Let a second thread tell late replies that are the machine's fault from those of the loop");
  command.flag("--detach", arguments.detach,
               "Continue where the terminal is lost (SIGHUP), instead of ending as with Ctrl-C");
  command.flag("--time-blocks", arguments.time_blocks, "Record the time of each block as realtime.PATH");
  command
      .option("--allow-unsafe-block", arguments.allowed_unsafe,
              "Let this block run on hardware though its author calls it unsafe in real time; repeatable")
      .type_name("PATH");
}

bool PacedRun::wanted(const System& system, const PacedArguments& arguments) {
  return arguments.realtime || touches_world(system);
}

std::string PacedRun::misuse(const System& system, const PacedArguments& arguments) {
  if ((arguments.arm || arguments.dry_run) && !moves_something(system))
    return fmt::format("{} is for a run that moves devices, and nothing in this diagram does{}",
                       arguments.arm ? "--arm" : "--dry-run",
                       system.mode.empty() ? "" : " in mode " + system.mode + "\nhelp: --mode chooses another mode");
  if (moves_something(system)) {
    if (std::string unsafe = unsafe_blocks(system, arguments.allowed_unsafe); !unsafe.empty()) return unsafe;
  } else if (!arguments.allowed_unsafe.empty()) {
    return "--allow-unsafe-block is for a run that moves devices, and nothing in this diagram does";
  }
  if (wanted(system, arguments)) return {};
  for (const auto& [given, name] : {std::pair(arguments.require_realtime, "--require-realtime"),
                                    {arguments.witness, "--witness"},
                                    {arguments.time_blocks, "--time-blocks"}})
    if (given)
      return fmt::format("{} is for a run that is paced, and no block of this diagram touches a device\n"
                         "help: --realtime paces a simulation by the timer",
                         name);
  return {};
}

PacedRun::PacedRun(const System& system, const PacedArguments& arguments)
    : arguments_(arguments), touches_(touches_world(system)), moves_(moves_something(system)) {}

void PacedRun::choose(RuntimeOptions& options, LoopProfile* profile) {
  if (profile != nullptr) executor_.timer().tell(*profile);
  options.separate = true;
  options.observer = &executor_.timer();
  options.simulated = !touches_;
  options.hardware = moves_;
  options.paced = true;
  options.dry_run = arguments_.dry_run;
}

Exit PacedRun::prepare(Runtime& runtime, Diagnostics& diagnostics) {
  if (!executor_.prepare(runtime, diagnostics)) return exit_bad_file;
  const Refusals refusals = executor_.claim_rights(runtime.system().realtime);
  if (refusals.empty()) return exit_ok;
  for (const std::string& each : refusals)
    arguments_.require_realtime ? print_error(each) : print_warning("NOT IN REAL TIME: " + each);
  if (!arguments_.require_realtime) return exit_ok;
  std::fputs("nothing was started: --require-realtime requires all of it; 'hilda doctor' says more\n", stderr);
  return exit_usage;
}

void PacedRun::choose(RunLogOptions& options, const Runtime& runtime) const {
  options.when_full = WhenFull::drop_observed;
  options.more = executor_.channels(runtime, arguments_.time_blocks);
  options.metadata["clock"] = executor_.clock_name(runtime);
  options.metadata["hardware"] = moves_ ? "true" : "false";
  options.metadata["dry_run"] = arguments_.dry_run ? "true" : "false";
}

SimulationResult PacedRun::run(Runtime& runtime, Recorder* recorder, Interrupt& interrupt, std::optional<double> limit,
                               bool quiet, PacedAttendant* attendant, bool shown) {
  PacedOptions options;
  options.loop.duration = limit;
  options.loop.operated = moves_;
  options.loop.armed = armed();
  options.loop.interrupt = &interrupt.flag();
  options.loop.hurry = &interrupt.hurry();
  options.thread = runtime.system().realtime;
  options.witness = arguments_.witness;
  if (moves_ && !armed() && !quiet)
    std::fputs("note: not armed: devices are held where they are; --arm lets the diagram move them\n", stderr);
  if (moves_) {
    interrupt.operate();
    limit_loop_calls(longest_call);
  }
  StatusLine line(quiet || shown);
  if (moves_)
    options.looked = [&runtime, quiet, this](const ChannelLook& look) { tell_quality(look, runtime.system(), quiet); };
  if (!moves_) // else it is how the run ends
    options.taken = [](const std::string& text) { print_warning(text); };
  options.progress = [&line, attendant](const PacedProgress& now) {
    line.show(now);
    if (attendant != nullptr) attendant->look(now);
  };
  if (attendant != nullptr) options.loop.tuning = &attendant->tuning();
  result_ = executor_.run(runtime, recorder, options);
  limit_loop_calls(std::numeric_limits<double>::infinity());
  if (attendant != nullptr) attendant->end(result_);
  stop_run(runtime, result_.run); // at once: a device that is notified ends by itself, and not by its time-out
  return result_.run;
}

/// What the measured channels are like; where one is not as it must be, also why nothing moves, or would not if armed.
void PacedRun::tell_quality(const ChannelLook& look, const System& system, bool quiet) const {
  const std::vector<ChannelQuality> channels = look.results();
  if (look.any() && !quiet) std::fputs(channel_table(channels, ContactFacts::of(system)).c_str(), stderr);
  Diagnostics found, said;
  report_quality(channels, system, found);
  said.take(found, !armed());
  print_diagnostics(said);
}

void PacedRun::report(const Runtime& runtime) const {
  if (!result_.moved) {
    print_measurements(runtime);
    std::printf("%s\n", armed() ? "nothing moved" : "not armed, nothing moved");
  }
  std::fputs(realtime_text(result_.figures, runtime.system()).c_str(), stdout);
}

nlohmann::ordered_json PacedRun::document(const Runtime& runtime) const {
  nlohmann::ordered_json document = realtime_document(result_.figures, runtime.system());
  document["armed"] = armed();
  document["dry_run"] = arguments_.dry_run;
  document["moved"] = result_.moved;
  return document;
}

} // namespace hilda::cli
