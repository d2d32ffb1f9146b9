// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/runtime.h"
#include "engine/session/machine.h"
#include "engine/session/summary_parameters.h"
#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/rig/probe_delay.h"
#include "tools/cli/detail/rig/rig_checklist.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace hilda::cli {
namespace {

constexpr int exit_warned = 1;
constexpr double measured_time = 2; // s

/// What the loop of a diagram asks of the machine.
struct Wants {
  RealtimeSettings settings;
  double period = 0; ///< s; 0: not known
};

/// Of the diagram in mode hardware where it has that.
std::optional<Wants> wants_of(const DiagramArguments& arguments) {
  if (arguments.file.empty()) return Wants{};
  CommandDiagram loaded(arguments);
  std::string mode = arguments.mode;
  if (mode.empty()) {
    const std::vector<std::string> modes = loaded.modes();
    if (std::find(modes.begin(), modes.end(), "hardware") != modes.end()) mode = "hardware";
  }
  const std::optional<System> system = loaded.check(mode);
  print_diagnostics(loaded.diagnostics());
  if (!system) return std::nullopt;
  Wants wants{system->realtime, system->base.value()};
  wants.settings.where = {}; // its file goes with the loaded diagram
  return wants;
}

struct CellQuestions {
  std::string rsi_context;  ///< file; empty: none
  bool probe_delay = false; ///< ask the robot, too
  bool cell = false;        ///< in a compiled program, which has its rig
};

/// How many warnings there were.
int print(const std::vector<MachineFinding>& findings) {
  int warnings = 0;
  for (const MachineFinding& each : findings) {
    const std::string mark = each.good ? on_stdout(Ink::green, "ok     ") : on_stdout(Ink::yellow, "warning");
    std::printf("%s  %-14s %s\n", mark.c_str(), each.subject.c_str(), each.found.c_str());
    if (each.good) continue;
    ++warnings;
    std::printf("         %-14s %s %s\n", "", on_stdout(Ink::green, "help:").c_str(), each.help.c_str());
  }
  std::fflush(stdout);
  return warnings;
}

int conclude(int warnings, const char* meaning) {
  if (warnings == 0) return exit_ok;
  std::printf("%d warning%s: %s\n", warnings, warnings == 1 ? "" : "s", meaning);
  return exit_warned;
}

/// The cell instead of the machine.
int examine_rig(DiagramArguments arguments, const CellQuestions& questions) {
  // Any diagram that takes a rig will do; this one came with the program.
  if (arguments.file.empty()) arguments.file = installation().library_file("measure_delay.xml");
  if (arguments.mode.empty()) arguments.mode = "hardware";
  CommandDiagram loaded(arguments);
  std::optional<System> system = loaded.check(arguments.mode);
  std::unique_ptr<Runtime> runtime;
  if (system) {
    RuntimeOptions options;
    options.hardware = true, options.simulated = false;
    runtime = Runtime::create(std::move(*system), options, loaded.diagnostics());
  }
  print_diagnostics(loaded.diagnostics());
  if (!runtime) return exit_bad_file;
  int warnings = print(look_at_rig(runtime->system(), parameter_values(*runtime), questions.rsi_context));
  if (questions.probe_delay) warnings += print(probe_delay(arguments, runtime->system()));
  return conclude(warnings, "mend them before the robot is armed");
}

int examine(const DiagramArguments& arguments, const CellQuestions& questions) {
  const bool cell = compiled_program() != nullptr ? questions.cell : !arguments.rig.empty();
  if (cell) return examine_rig(arguments, questions);
  if (questions.probe_delay) {
    print_error(compiled_program() != nullptr ? "--probe-delay asks the robot of the cell: give --cell, too"
                                              : "--probe-delay asks the robot of a rig: give --rig FILE");
    return exit_usage;
  }
  const std::optional<Wants> wants = wants_of(arguments);
  if (!wants) return exit_bad_file;
  const int warnings = print(look_at_kernel("/", wants->settings)) + print(look_at_rights(wants->settings)) +
                       print(look_at_network()) + print(look_at_timing(wants->settings, measured_time, wants->period));
  return conclude(warnings, "a loop may still run, but not as evenly as it could");
}

} // namespace

void add_doctor(Program& program) {
  Command command =
      program.command("doctor", "Looks at what this machine does to a loop in real time, or at a bare cell");
  auto arguments = std::make_shared<DiagramArguments>();
  add_diagram_arguments(command, *arguments);
  auto questions = std::make_shared<CellQuestions>();
  if (compiled_program() != nullptr)
    command.flag("--cell", questions->cell, "Look at the cell of the diagram's rig instead of the machine");
  else
    command.get_option("DIAGRAM").required(false).description("Diagram whose priority, processors and period count");
  command
      .option("--rsi", questions->rsi_context,
              "With --rig: copy of the RSI context on the robot, NAME.rsi.xml or NAME.rsix")
      .type_name("FILE");
  command.flag("--probe-delay", questions->probe_delay,
               "With --rig: connect the robot, which must be at rest, and leave it without one answer, to see what "
               "its Delay counts");
  command.footer(
      "Kernel, limits of this user, frequency scaling, isolated processors, network interfaces, timer, and\n"
      "a measurement of two seconds: each is ok, or a warning with what to change. Exits with 1 after a\n"
      "warning.\n"
      "With --rig the cell instead, before anything is armed: network, the vendor's file, RSI context, time-outs,\n"
      "POSCORR and monitors, the sensor's page and resolution. Nothing is sent to the robot,\n"
      "unless --probe-delay asks it: then it is answered with corrections of zero for about half a second.\n"
      "Examples:\n"
      "  hilda doctor diagrams/pida.xml\n"
      "  hilda doctor --rig diagrams/rigs/kuka_ati.xml --overlay mycell.xml --rsi mycell.rsi.xml");
  command.runs([arguments, questions] { return examine(with_kept(*arguments), *questions); });
}

} // namespace hilda::cli
