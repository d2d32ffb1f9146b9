// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/session/run_log.h"
#include "engine/session/summary.h"
#include "engine/session/summary_document.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/run/run.h"
#include "tools/modules.h"

#include <memory>
#include <string>

namespace hilda::cli {

/// Log and summary of a run or a replay: opened before the first tick, so that a file that cannot be written is not a
/// surprise at the end, and whole behind the last.
class RunOutputs {
public:
  explicit RunOutputs(const RunArguments& arguments) : arguments_(arguments) {}

  /// A file that is read and must not be written: next to those of the diagram and its plugins.
  void reads(const std::string& file) { files_.reads(file); }

  /// The log that the user names, else `own_log`; none where that is empty. Faults are reported on stderr.
  /// `options` of the log: its files, and whether everything is kept, are settled here.
  Exit open(const CommandDiagram& from, const Runtime& runtime, const std::string& own_log, RunLogOptions options);

  /// The log ends with this result, and the next one begins: "pida.2.mcap". Null without a log, or where it cannot be
  /// made, which is reported on stderr.
  Recorder* next(const CommandDiagram& from, const Runtime& runtime, RunLogOptions options,
                 const SimulationResult& so_far);

  /// Null without a log.
  Recorder* recorder() const { return log_ ? &log_->recorder() : nullptr; }
  const std::string& log_path() const { return log_path_; }
  /// Why the log ended before the run, or an empty text.
  std::string log_lost() const { return log_ ? log_->lost() : log_lost_; }

  /// Ends both. `in_log`: the log holds the summary too, but for the parameters, which it has anyway. False, and
  /// reported on stderr, where one of them is not whole.
  bool close(const SimulationResult& result, const Summary& summary, bool in_log);
  /// Where they are, on stdout; nothing of one that could not be written.
  void report() const;

private:
  Exit open_log(const CommandDiagram& from, const Runtime& runtime, RunLogOptions options);
  void tell_surprises() const;

  const RunArguments& arguments_;
  OutputFiles files_;
  std::unique_ptr<RunLog> log_;
  std::string log_path_, first_path_, log_lost_;
  int logs_ = 1;
  std::unique_ptr<OutputFile> summary_;
  bool log_kept_ = false, summary_kept_ = false; ///< whole, and in their places
};

/// "out/pida.mcap", and the folder `out`: where a log goes that no one has named. `suffix`: behind the diagram's name.
std::string own_log_path(const std::string& diagram, const std::string& suffix = "");

} // namespace hilda::cli
