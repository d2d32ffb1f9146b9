// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/commands.h"

#include "engine/base/budget.h"
#include "engine/base/diagnostic.h"
#include "engine/plugin/arithmetic.h"
#include "tools/cli/detail/linear/trim.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/bill_of_materials.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/crash.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/standstill.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/version.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <hilda/abi.h>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace hilda::cli {
namespace {

std::string version_text() {
  return fmt::format("hilda {} (git {}), plugin ABI {}.{}\nmathematics: {}, {}", version, revision, HILDA_ABI_MAJOR,
                     HILDA_ABI_MINOR, arithmetic().mathematics,
                     arithmetic().portable ? "the same on every processor" : "chosen by the processor");
}

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

int unknown_command(const CLI::App& program, const std::string& word) {
  const std::string near = nearest(word, command_names(program));
  if (!near.empty())
    return wrong_usage(fmt::format("there is no command '{}'", word), "did you mean 'hilda " + near + "'?");
  if (word.size() > 4 && word.substr(word.size() - 4) == ".xml")
    return wrong_usage(fmt::format("'{}' is not a command", word), "to run a diagram: hilda run " + word);
  return wrong_usage(fmt::format("there is no command '{}'", word), "hilda --help lists them");
}

int unknown_argument(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = asked_for(program);
  std::string word;
  for (const std::string& each : program.remaining(true))
    if (word.empty()) word = each.substr(0, each.find('='));
  const std::string name = &command == &program ? "hilda" : "hilda " + command.get_name();
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

int run_command(int count, char** arguments) {
  Program commands("Runs block diagrams in closed loop with robots and force sensors.");
  CLI::App& program = commands.app();
  program.name("hilda");
  program.set_version_flag("--version", version_text, "Version, git revision, plugin ABI and mathematical library");
  const std::string bill = "After --version: print the list of all that this program contains (SBOM, SPDX in JSON)";
  program.add_flag("--sbom", bill);
  program.require_subcommand(0, 1);
  program.footer(
      "Examples:\n"
      "  hilda run diagrams/pida.xml --set response_delay=20ms\n"
      "  hilda check diagrams/pida.xml\n"
      "  hilda describe contact/PhaseLead\n"
      "hilda COMMAND --help says more about a command.\n"
      "Exit codes: 0 all went well, 1 not equal (compare, diff) or a warning (doctor), 2 bad file, 3 failed run or "
      "lost\n"
      "output, 64 wrong usage, 130 interrupted; 128+n: a plugin crashed by signal n, after its block was named.");
  for (const auto add :
       {&add_run,       &add_check,      &add_plan,          &add_blocks,     &add_describe,  &add_export,  &add_info,
        &add_linearize, &add_trim,       &add_measure_delay, &add_compare,    &add_doctor,    &add_plot,    &add_draw,
        &add_report,    &add_new_plugin, &add_test_plugin,   &add_schema,     &add_diff,      &add_recover, &add_sweep,
        &add_edit,      &add_studio,     &add_docs,          &add_export_fmu, &add_import_fmu})
    add(commands);
  for (CLI::App* command : program.get_subcommands([](CLI::App*) { return true; })) add_budget(*command);
  if (count < 2) return wrong_usage("no command given", program.help());
  const std::string first = arguments[1];
  const std::string second = count == 3 ? arguments[2] : "";
  if (first == "--version" && second == "--sbom") return print_bill_of_materials();
  const std::vector<std::string> names = command_names(program);
  if (first.rfind('-', 0) != 0 && std::find(names.begin(), names.end(), first) == names.end())
    return unknown_command(program, first);
  if (const std::string word = option_without_value(count, arguments); !word.empty())
    return wrong_usage(fmt::format("hilda {}: '{}' has no value", first, word),
                       "leave it out where none is meant; 'hilda " + first + " --help' lists the options");
  try {
    program.parse(count, arguments);
  } catch (const CLI::Success& wanted) { // --help, --version
    return program.exit(wanted);
  } catch (const CLI::ExtrasError& error) {
    return unknown_argument(program, error);
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    if (const std::size_t twice = what.find(": At Most 1 required but received"); twice != std::string::npos)
      what = what.substr(0, twice) + " is given more than once";
    return wrong_usage(what, "hilda " + asked_for(program).get_name() + " --help says how it is used");
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
} // namespace hilda::cli

int hilda_run(int count, char** arguments) {
  using namespace hilda;
  using namespace hilda::cli;
  unblock_signals();
  hold_streams();
  try {
    return end_output(run_command(count, arguments));
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

void hilda_refuse_exit(const char* function) { hilda::cli::refuse_exit(function); }
