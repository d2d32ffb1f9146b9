// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/log/log.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::log {

/// Writes signals as a MAT file (version 5, for MATLAB, Octave and scipy): a structure by path, so that
/// `rig.sensor.wrench` is that signal and `rig.sensor.time` its time in s. N samples of a scalar or vector are N rows;
/// of a matrix, a rows x cols x N array. `units` next to the signals of a block holds their units. Integers and
/// booleans keep their class. The variable `hilda_log` holds the log's metadata. Names that MATLAB does not take are
/// bent
/// (`y[0]` to `y_0`), and numbered where that makes two alike.
///
/// `words`: signals or paths; empty: all. False and `error` where a signal is not in the log, a variable would exceed
/// the 2 GB of the format, or the file cannot be written. Memory does not grow with the log.
bool export_mat(Log& log, OutputFile& file, const std::vector<std::string>& words, std::string& error);
bool export_mat(Log& log, const std::string& path, const std::vector<std::string>& words, std::string& error);

} // namespace hilda::log
