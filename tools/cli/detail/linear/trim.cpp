// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/linear/trim.h"

#include "engine/analysis/trim.h"
#include "engine/diagram/overlay.h"
#include "tools/cli/detail/linear/say.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct TrimArguments {
  DiagramArguments diagram;
  std::vector<std::string> vary, want;
  TrimOptions options;
  std::string out;
};

/// "force.value=0 N..10 N" or "force.value".
std::optional<VariedParameter> varied(const std::string& text) {
  const std::size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos) return VariedParameter{.path = text};
  if (equals == 0 || dots == std::string::npos || dots < equals) return std::nullopt;
  return VariedParameter{text.substr(0, equals), text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2)};
}

std::optional<WantedValue> wanted(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) return std::nullopt;
  return WantedValue{text.substr(0, equals), text.substr(equals + 1)};
}

/// False after a message: an option is malformed.
bool read_options(TrimArguments& arguments) {
  for (const std::string& text : arguments.vary) {
    const std::optional<VariedParameter> each = varied(text);
    if (!each) {
      print_error("--vary takes PATH or PATH=LOWEST..HIGHEST, not '" + text +
                  "'\nhelp: --vary 'force.value=0 N..10 N'");
      return false;
    }
    arguments.options.vary.push_back(*each);
  }
  for (const std::string& text : arguments.want) {
    const std::optional<WantedValue> each = wanted(text);
    if (!each) {
      print_error("--want takes SIGNAL=VALUE, not '" + text + "'\nhelp: --want 'level.y=0.5 m'");
      return false;
    }
    arguments.options.want.push_back(*each);
  }
  return true;
}

void print_rest(const TrimResult& result, double tolerance) {
  constexpr std::size_t most = 6;
  std::size_t shown = 0;
  std::set<std::string> told; // a state may be measured twice, over one tick and over many
  for (const TrimRest& each : result.rest)
    if (!each.within(tolerance) && told.insert(each.name).second && shown++ < most)
      say("  {}  is off by {:.4g}{}\n", each.name, each.change,
          each.name.find(" = ") == std::string::npos ? " per s" : "");
  if (shown > most) say("  and {} more\n", shown - most);
}

int write_rest(const TrimResult& result, OutputFile& file, const std::string& name) {
  for (const Attribute& each : result.settings) say("  {} = {}\n", each.name, each.text);
  OverlaySettings settings;
  settings.before = result.settings;
  if (const Exit problem = finish(file, write_overlay(settings)); problem != exit_ok) return problem;
  say("written  {}\n", name);
  return exit_ok;
}

int trim_diagram(TrimArguments arguments) {
  if (!read_options(arguments)) return exit_usage;
  CommandDiagram loaded(arguments.diagram);
  std::optional<System> system = loaded.check(arguments.diagram.mode);
  if (system && is_hardware(*system)) {
    print_error("mode hardware cannot be trimmed: its robot is not an equation");
    return exit_usage;
  }
  OutputFiles files;
  std::unique_ptr<OutputFile> file;
  std::optional<TrimResult> result;
  if (system) {
    if (arguments.out.empty()) {
      std::error_code failed;
      fs::create_directory("out", failed);
      arguments.out = "out/" + fs::path(arguments.diagram.file).stem().string() + "_rest.xml";
    }
    loaded.name_inputs(files, *system);
    file = files.open(arguments.out, OutputKind::text, FileContent::overlay);
    if (!file) return refused(files, "name another file with -o");
    result = trim(*system, arguments.options, loaded.diagnostics());
  }
  print_diagnostics(loaded.diagnostics());
  if (!result) return exit_bad_file;
  if (result->at_rest) {
    say("at rest after {} trials\n", result->trials);
    return write_rest(*result, *file, arguments.out);
  }
  say("no state at rest was found in {} trials; the nearest:\n", result->trials);
  for (const Attribute& each : result->settings) say("  {} = {}\n", each.name, each.text);
  print_rest(*result, arguments.options.tolerance);
  print_error(
      "no state at rest was found, and nothing is written\n"
      "help: vary more parameters (--vary force.value), begin nearer to it (--set), or say what may move (--moving)");
  return exit_failed_run;
}

} // namespace

void add_trim(Program& program) {
  Command command = program.command("trim", "Values of parameters with which a diagram is at rest, as an overlay");
  auto arguments = std::make_shared<TrimArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command
      .option("--vary", arguments->vary,
              "Parameter that may be changed, PATH or PATH=LOWEST..HIGHEST; all initial values if none is given")
      .type_name("PATH")
      .repeated();
  command.option("--want", arguments->want, "What a signal must be, SIGNAL=VALUE, such as 'level.y=0.5 m'")
      .type_name("SIGNAL=VALUE")
      .repeated();
  command.option("--moving", arguments->options.moving, "States that may keep moving: a path or a pattern")
      .type_name("STATE")
      .repeated();
  command
      .option("--tolerance", arguments->options.tolerance,
              "Change of a state in a second, relative to max(1, |x| at first), that is rest")
      .between(1e-14, 1.0);
  command.option("-o,--out", arguments->out, "The overlay; out/NAME_rest.xml if not given").type_name("FILE");
  command.footer(
      "Every state must be at rest: from one tick to the next nothing changes, so sources that vary with time are "
      "taken\n"
      "as at their first tick. Several signals and parameters make a least-squares problem; where many values would "
      "do,\n"
      "one near the diagram's own is found. If no block reads a block, its outputs count, and not the "
      "figures\n"
      "that it keeps.\n"
      "Examples:\n"
      "  hilda trim tank.xml --vary level.initial --vary 'valve.value=0..1' --want 'level.y=0.5 m' -o half_full.xml\n"
      "  hilda run tank.xml --overlay half_full.xml\n"
      "  hilda linearize tank.xml --overlay half_full.xml --from valve.y --to level.y --step-response step.svg");
  command.runs([arguments] { return trim_diagram(*arguments); });
}

} // namespace hilda::cli
