#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace hilda::cli {

/// How the program ends.
enum Exit : int {
  exit_ok = 0,
  exit_different = 1,    ///< compare: not equal
  exit_bad_file = 2,     ///< what was given cannot be read, or is wrong or damaged
  exit_failed_run = 3,   ///< NaN, a limit, a block's verdict, a device; an output that cannot be written
  exit_usage = 64,       ///< the command line is wrong
  exit_interrupted = 130 ///< Ctrl-C; the log is complete
};

/// What the command that was asked for does; returns an Exit.
using Action = std::function<int()>;

// Each adds one command to the program, which puts its action into `action` when it is asked for.
void add_run(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_plan(CLI::App& program, Action& action);
void add_blocks(CLI::App& program, Action& action);
void add_describe(CLI::App& program, Action& action);
void add_export(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_linearize(CLI::App& program, Action& action);
void add_measure_delay(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);
void add_doctor(CLI::App& program, Action& action);
void add_plot(CLI::App& program, Action& action);
void add_draw(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_new_plugin(CLI::App& program, Action& action);
void add_test_plugin(CLI::App& program, Action& action);
void add_schema(CLI::App& program, Action& action);
void add_diff(CLI::App& program, Action& action);
void add_recover(CLI::App& program, Action& action);

} // namespace hilda::cli
