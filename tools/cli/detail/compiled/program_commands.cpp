// SPDX-License-Identifier: BSD-3-Clause
// A compiled program from its arguments to its exit code: the commands of hilda that work with its diagram.
#include "engine/plugin/arithmetic.h"
#include "tools/cli/command_line.h"
#include "tools/cli/commands.h"
#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/run.h"
#include "tools/cli/version.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <hilda/abi.h>
#include <string_view>

namespace hilda::cli {
namespace {

void add_program_run(Program& program) {
  Command command = program.command("run", "Runs the diagram, records it and reports; the default");
  auto arguments = std::make_shared<RunArguments>();
  add_diagram_arguments(command, arguments->diagram);
  add_run_options(command, arguments);
  command.footer(
      "The run ends after its duration, by a block (Stop, Assert, number of contacts) or by Ctrl-C; the log is\n"
      "complete in each case. On hardware each end is a ramp to rest; a second Ctrl-C ends at once. Without\n"
      "--arm nothing moves.");
  const Option serve = command.get_option("--serve");
  command.runs([arguments, serve]() -> int {
    arguments->serve.serve = serve.given();
    arguments->diagram = with_kept(arguments->diagram);
    return run_as_told(*arguments, "", run_diagram);
  });
}

void add_program_replay(Program& program) {
  Command command =
      program.command("replay", "Feeds a log's measurements back, and says whether every bit comes out as recorded");
  auto arguments = std::make_shared<RunArguments>();
  arguments->diagram.mode = "replay";
  command.option("LOG", arguments->diagram.file, "Log of this program, or of hilda with the same plugins")
      .required()
      .option_text("FILE");
  command
      .option("--set", arguments->diagram.settings, "With another value: what it would have done on these measurements")
      .type_name("PATH=VALUE")
      .repeated();
  command.option("--log", arguments->log, "Log of what is computed now (MCAP)").type_name("FILE");
  command.option("--summary", arguments->summary, "Figures and verdict as JSON, in SI").type_name("FILE");
  command.flag("--quiet", arguments->quiet, "Print errors only");
  command.runs([arguments] { return run_diagram(*arguments); });
}

std::string version_of(const CompiledProgram& program) {
  return fmt::format("{}, compiled by hilda {} (git {}), plugin ABI {}.{}\nmathematics: {}, {}", program.name, version,
                     revision, HILDA_ABI_MAJOR, HILDA_ABI_MINOR, arithmetic().mathematics, arithmetic().where);
}

int refuse(const char* code, const std::string& what, const std::string& help) {
  Diagnostics said;
  said.error(code, {}, what, help);
  print_diagnostics(said);
  return exit_usage;
}

std::string chosen(const std::string& what, const std::string& value) {
  return value.empty() ? "no " + what : fmt::format("{} '{}'", what, value);
}

/// What hilda can do and this program cannot; none where it is nothing of that kind.
std::optional<int> refuse_others(const std::string& word, const CompiledProgram& program) {
  static constexpr std::array fixed = {"--mode", "--rig", "--plugins"};
  static constexpr std::array files = {"--watch", "--keep-state"};
  const std::string option = word.substr(0, word.find('='));
  const std::string again = "compile it again: 'hilda compile " + program.diagram.diagram + " -o FILE ";
  if (std::find(fixed.begin(), fixed.end(), option) != fixed.end())
    return refuse("program-fixed",
                  fmt::format("{} was chosen when this program was compiled: {}, {}", option,
                              chosen("mode", program.diagram.mode), chosen("rig", program.diagram.rig)),
                  again + option + " ...'");
  if (std::find(files.begin(), files.end(), option) != files.end())
    return refuse("program-files", option + " watches files, and this program has its diagram in itself",
                  "leave it out; 'hilda run DIAGRAM " + option + "' watches");
  if (word.ends_with(".xml"))
    return refuse(
        "program-diagram",
        fmt::format("this program contains one diagram, {}, and runs no other: {}", program.diagram.diagram, word),
        "'hilda run " + word + "' runs it; values in a file are given by --overlay");
  if (word.ends_with(".mcap"))
    return refuse("program-log", fmt::format("{} is given without a command", word), "to feed it back: replay " + word);
  return std::nullopt;
}

Face program_face(const CompiledProgram& program, const std::string& name) {
  Face face;
  face.name = name;
  face.text = program.name + (program.doc.empty() ? "" : ": " + program.doc);
  face.version = [&program] { return version_of(program); };
  face.version_help = "The diagram's name; version, git revision, plugin ABI and mathematical library of hilda";
  face.commands = {&add_program_run, &add_program_replay, &add_doctor};
  static bool what = false;
  face.more = [](Program& commands) {
    commands.app().add_flag("--what", what,
                            "Print what is in this program: diagram, settings, plugins and their hashes");
  };
  face.instead = [&program](int count, char** arguments) -> std::optional<int> {
    if (count == 2 && std::string_view(arguments[1]) == "--what") return print_what(program);
    const std::string_view command = count > 1 ? arguments[1] : "";
    for (int i = 1; i < count; ++i) {
      const std::string_view before = arguments[i - 1];
      if (before == "--overlay" || before == "--log" || before == "--summary" || before == "--rsi" ||
          (i == 2 && command == "replay"))
        continue;
      if (const std::optional<int> refused = refuse_others(arguments[i], program)) return refused;
    }
    return std::nullopt;
  };
  face.footer =
      "NAME COMMAND --help says more about a command.\n"
      "Exit codes: 0 all went well, 1 a warning (doctor), 2 bad file, 3 failed run or lost output, 64 wrong usage,\n"
      "130 interrupted; 128+n: a plugin crashed by signal n, after its block was named.";
  return face;
}

/// Without a command: run.
std::vector<char*> with_command(int count, char** arguments) {
  static char run[] = "run";
  std::vector<char*> words(arguments, arguments + count);
  static constexpr std::array own = {std::string_view("--help"), std::string_view("-h"), std::string_view("--version"),
                                     std::string_view("--what")};
  const std::string_view first = count > 1 ? arguments[1] : "--";
  if (first.starts_with("-") && std::find(own.begin(), own.end(), first) == own.end())
    words.insert(words.begin() + 1, run);
  words.push_back(nullptr);
  return words;
}

} // namespace
} // namespace hilda::cli

int hilda_run_program(int count, char** arguments, int file, const hilda_program_part* parts, std::size_t part_count) {
  using namespace hilda;
  using namespace hilda::cli;
  Diagnostics found;
  if (!open_compiled_program(file, {parts, part_count}, found)) {
    print_diagnostics(found);
    return exit_bad_file;
  }
  const std::string name = std::filesystem::path(count > 0 ? arguments[0] : "program").filename();
  std::vector<char*> words = with_command(count, arguments);
  return run_command_line(static_cast<int>(words.size()) - 1, words.data(), program_face(*compiled_program(), name));
}
