// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

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

// Each adds one command to the program.
void add_run(Program& program);
void add_check(Program& program);
void add_plan(Program& program);
void add_blocks(Program& program);
void add_describe(Program& program);
void add_export(Program& program);
void add_export_fmu(Program& program);
void add_import_fmu(Program& program);
void add_info(Program& program);
void add_linearize(Program& program);
void add_measure_delay(Program& program);
void add_compare(Program& program);
void add_doctor(Program& program);
void add_plot(Program& program);
void add_draw(Program& program);
void add_report(Program& program);
void add_new_plugin(Program& program);
void add_test_plugin(Program& program);
void add_schema(Program& program);
void add_diff(Program& program);
void add_recover(Program& program);
void add_sweep(Program& program);
void add_edit(Program& program);
void add_studio(Program& program);
void add_docs(Program& program);

} // namespace hilda::cli
