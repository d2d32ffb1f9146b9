// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/command_line.h"

#include "engine/base/budget.h"
#include "engine/base/diagnostic.h"
#include "tools/cli/commands.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/crash.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/standstill.h"
#include "tools/cli/detail/program/terminal.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace hilda::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The command that was being read when something was wrong.
const CLI::App& asked_for(const CLI::App& program) {
  const auto commands = program.get_subcommands();
  return commands.empty() ? program : *commands.front();
}

int wrong_usage(const std::string& what, const std::string& help) {
  print_error(what);
  std::fprintf(stderr, "%s\n", help.c_str());
  return exit_usage;
}

int unknown_command(const CLI::App& program, const Face& face, const std::string& word) {
  const std::string near = nearest(word, command_names(program));
  const std::string what = fmt::format("there is no command '{}'", word);
  if (!near.empty()) return wrong_usage(what, fmt::format("did you mean '{} {}'?", face.name, near));
  if (word.ends_with(".xml"))
    return wrong_usage(fmt::format("'{}' is not a command", word), face.help_of_diagram + word);
  return wrong_usage(what, face.name + " --help lists them");
}

int unknown_argument(const CLI::App& program, const Face& face, const CLI::ParseError& error) {
  const CLI::App& command = asked_for(program);
  std::string word;
  for (const std::string& each : program.remaining(true))
    if (word.empty()) word = each.substr(0, each.find('='));
  const std::string name = &command == &program ? face.name : face.name + " " + command.get_name();
  const std::string more = name + " --help lists the options";
  if (word.empty()) return wrong_usage(error.what(), more);
  const std::string near = nearest(word, option_names(command));
  return wrong_usage(fmt::format("{}: '{}' was not expected", name, word),
                     near.empty() ? more : "did you mean '" + near + "'?");
}

/// "--rig=" with nothing behind it: CLI11 would take the next word for its value. Empty where there is none.
std::string option_without_value(int count, char** arguments) {
  for (int i = 2; i < count; ++i) {
    std::string word = arguments[i];
    if (word == "--") break;
    if (word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1) return word;
  }
  return {};
}

/// Of every command: what it may take.
void add_budget(CLI::App& command) {
  const auto is_size = [](const std::string& text) {
    std::uint64_t bytes = 0;
    return read_size(text, bytes) ? std::string() : fmt::format("'{}' is not a size, such as 4GB", text);
  };
  command
      .add_option_function<std::string>(
          "--budget-memory", [](const std::string& text) { read_size(text, budget().memory); },
          "Memory that loading and evaluating may take, such as 4GB; half of the machine's if not given, 0: all")
      ->type_name("SIZE")
      ->check(is_size);
  Option(command.add_option("--budget-time", budget().time,
                            "Processor time in which a diagram must be loaded, s; 0: no limit"))
      .type_name("TIME")
      .not_negative();
}

/// A run holds its time, and so do many, and a plugin under trial may be hungry; all else must do with the budget of
/// memory.
bool within_budget(const std::string& command) {
  return command != "run" && command != "measure-delay" && command != "test-plugin" && command != "doctor" &&
         command != "sweep";
}

/// The commands are added, and the arguments are read; then the action is done.
int read_and_act(int count, char** arguments, const Face& face) {
  if (const std::optional<int> ended = face.instead(count, arguments)) return *ended;
  Program commands(face.text);
  CLI::App& program = commands.app();
  program.name(face.name);
  program.set_version_flag("--version", face.version, face.version_help);
  program.require_subcommand(0, 1);
  program.footer(face.footer);
  for (const auto add : face.commands) add(commands);
  face.more(commands);
  for (CLI::App* command : program.get_subcommands([](CLI::App*) { return true; })) add_budget(*command);
  if (count < 2) return wrong_usage("no command given", program.help());
  const std::string first = arguments[1];
  const std::vector<std::string> names = command_names(program);
  if (first.rfind('-', 0) != 0 && std::find(names.begin(), names.end(), first) == names.end())
    return unknown_command(program, face, first);
  if (const std::string word = option_without_value(count, arguments); !word.empty())
    return wrong_usage(
        fmt::format("{} {}: '{}' has no value", face.name, first, word),
        fmt::format("leave it out where none is meant; '{} {} --help' lists the options", face.name, first));
  try {
    program.parse(count, arguments);
  } catch (const CLI::Success& wanted) { // --help, --version
    return program.exit(wanted);
  } catch (const CLI::ExtrasError& error) {
    return unknown_argument(program, face, error);
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    if (const std::size_t twice = what.find(": At Most 1 required but received"); twice != std::string::npos)
      what = what.substr(0, twice) + " is given more than once";
    return wrong_usage(what, face.name + " " + asked_for(program).get_name() + " --help says how it is used");
  }
  if (const std::string fault = fault_of_environment(); !fault.empty())
    return wrong_usage(fault, "give it another value, or none");
  if (first != "test-plugin") { // which has processes that may crash or hang, and says more of them
    tell_of_crashes();
    tell_of_standstills();
  }
  std::optional<BudgetGuard> guard;
  if (within_budget(first)) guard.emplace(Budget{budget().memory, 0}, end_for_budget);
  return commands.action() ? commands.action()() : wrong_usage("no command given", program.help());
}

} // namespace

int run_command_line(int count, char** arguments, const Face& face) {
  unblock_signals();
  hold_streams();
  try {
    return end_output(read_and_act(count, arguments, face));
  } catch (const std::bad_alloc&) {
    print_error("there is no more memory" + working_place() +
                "\nhelp: make it smaller; --budget-memory SIZE ends such work earlier");
    return exit_bad_file;
  } catch (const std::system_error& error) {
    const bool threads = error.code() == std::errc::resource_unavailable_try_again;
    print_error(threads ? "the system starts no further thread\nhelp: allow the program more memory or threads"
                        : error.what());
    return exit_failed_run;
  } catch (const std::exception& error) {
    print_error(error.what());
    return exit_failed_run;
  }
}

} // namespace hilda::cli

void hilda_refuse_exit(const char* function) { hilda::cli::refuse_exit(function); }
