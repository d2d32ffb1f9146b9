// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/comparison.h"

#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <memory>

namespace hilda::cli {
namespace {

struct CompareArguments {
  std::string a, b;
  std::vector<std::string> tolerances;
  ComparisonOptions options;
};

std::optional<Log> opened(const std::string& path) {
  std::string error;
  std::optional<Log> log = Log::open(path, error);
  if (!log) print_error(error);
  return log;
}

/// Where bits differ, the first thing to know. Logs of 0.1.0 do not say what they were made with.
void name_mathematics(const Log& a, const Log& b, const CompareArguments& arguments) {
  const auto recorded = [](const Log& log) {
    const auto found = log.schema().metadata.find("mathematics");
    return found == log.schema().metadata.end() ? std::string("one that it does not name") : found->second;
  };
  if (const std::string of_a = recorded(a), of_b = recorded(b); of_a != of_b)
    std::fprintf(
        stderr,
        "note: the logs were made with different mathematical libraries, so that the last bits of sin, exp, pow "
        "and what follows from them may differ: %s with %s, %s with %s\n",
        arguments.a.c_str(), of_a.c_str(), arguments.b.c_str(), of_b.c_str());
}

int compare(CompareArguments arguments) {
  std::string error;
  for (const std::string& text : arguments.tolerances) {
    const auto tolerance = read_tolerance(text, error);
    if (!tolerance) {
      print_error(error);
      return exit_usage;
    }
    arguments.options.tolerances.push_back(*tolerance);
  }
  std::optional<Log> a = opened(arguments.a), b = opened(arguments.b);
  if (!a || !b) return exit_bad_file;
  name_mathematics(*a, *b, arguments);
  const auto comparison = compare_logs(*a, *b, arguments.options, error);
  const Exit first = tell_problems(*a, arguments.a), second = tell_problems(*b, arguments.b);
  const bool damaged = first != exit_ok || second != exit_ok;
  if (!comparison) {
    const bool periods = a->schema().period != b->schema().period && !arguments.options.by_time;
    print_error(error + (periods ? "\nhelp: --by-time compares them at the instants at which both have a sample" : ""));
    return exit_usage;
  }
  std::fputs(comparison_text(*comparison, arguments.a, arguments.b).c_str(), stdout);
  if (comparison->equal()) return damaged ? exit_bad_file : exit_ok;
  return exit_different;
}

} // namespace

void add_compare(Program& program) {
  Command command = program.command("compare", "Compares two logs, signal by signal");
  auto arguments = std::make_shared<CompareArguments>();
  command.option("A", arguments->a, "Log of a run (MCAP)").required().option_text("FILE");
  command.option("B", arguments->b, "Log of another").required().option_text("FILE");
  const auto add_list = [&command](const char* name, std::vector<std::string>& list, const char* type,
                                   const char* text) { command.option(name, list, text).type_name(type).repeated(); };
  add_list("--tolerance", arguments->tolerances, "[PATTERN=]ABS[,REL]",
           "How far values may be apart: ABS + REL max(|a|, |b|), in SI; repeatable, the last that fits counts");
  add_list("--signals", arguments->options.only, "PATTERN", "Only these signals; repeatable");
  add_list("--ignore", arguments->options.ignored, "PATTERN", "Not these signals; repeatable");
  command.flag("--by-time", arguments->options.by_time,
               "Also logs of different periods, at the instants at which both have a sample");
  command.footer(
      "A pattern is a signal, a path with all under it, or a name with * and ?. Without a tolerance the logs\n"
      "must be equal bit by bit. Exit code 0: equal within tolerance; 1: not, and the first time and place,\n"
      "the worst difference, and what only one of the logs has are printed.\n"
      "Examples:\n"
      "  hilda compare before.mcap after.mcap\n"
      "  hilda compare sim.mcap robot.mcap --tolerance 1e-9 --tolerance 'rig.wrench=0.5,1e-3'\n"
      "  hilda compare a.mcap b.mcap --signals '*.energy' --ignore 'figures.*'");
  command.runs([arguments] { return compare(*arguments); });
}

} // namespace hilda::cli
