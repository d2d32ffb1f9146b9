// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/log/log.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::log {

struct CsvOptions {
  std::vector<std::string> signals; ///< signals, parts or paths in the order of the columns; empty: all of the log
  bool hold = false;                ///< repeat the last sample of slower signals, instead of an empty cell
};

/// Writes signals as comma-separated values (RFC 4180): one line of names with units, "rig.sensor.wrench.force.x [N]",
/// then one line for each tick at which any of them was sampled, the time in s first. A signal that was not sampled
/// at that tick has an empty cell, so that nothing is in the file that was not measured. Numbers have a decimal point
/// whatever the locale and read back as the same bits; booleans are 0 or 1. Memory does not grow with the log.
/// False and `error` where a signal is not in the log or the file cannot be written.
bool export_csv(Log& log, OutputFile& file, const CsvOptions& options, std::string& error);
bool export_csv(Log& log, const std::string& path, const CsvOptions& options, std::string& error);

} // namespace hilda::log
