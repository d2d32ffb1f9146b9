// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/diagram/diagram.h"
#include "engine/log/log_writer.h"
#include "engine/log/recorder.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"
#include "engine/session/simulation.h"
#include "engine/session/tuning.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::plugin {
class Host;
}

namespace hilda::session {

/// Where a run comes from: what its log and its summary contain in addition to the signals.
struct RunOrigin {
  std::string version, git;          ///< of the program
  std::string diagram;               ///< file as named by the user
  std::vector<std::string> overlays; ///< files
  std::vector<std::string> settings; ///< "lead.time_constant=4ms"
  std::string rig;                   ///< file in the place of the subsystem 'rig', or empty
  const Host* plugins = nullptr;     ///< a log names their hashes
  const Sources* sources = nullptr;  ///< every file that was read
};

/// A channel of the loop itself, in addition to those of the blocks.
struct LogChannelSource {
  LogChannel channel;
  std::vector<const void*> data; ///< by field
};

struct RunLogOptions {
  bool everything = false; ///< also the outputs that their blocks keep out of the log
  WhenFull when_full = WhenFull::wait;
  std::vector<LogChannelSource> more;
  std::map<std::string, std::string> metadata; ///< in addition to those of origin and system
  OutputFiles* files = nullptr;                ///< of the command, where it has others than this log
  std::optional<std::int64_t> ticks;           ///< how many there will be, where that is known
  bool may_end_earlier = false;                ///< `ticks` is a limit: a disk too small for them is not an error
  std::vector<TakenChange> live;               ///< what was set before, of a log that begins within a run
  FrameTap* tap = nullptr;                     ///< sees every output of every tick, whatever the file keeps
};

/// The attachment that a log has which begins within a run, and where its metadata keep what was set before.
inline constexpr const char *checkpoint_name = "checkpoint", *checkpoint_media_type = "application/x-hilda-checkpoint",
                            *live_key = "live";

/// Under "signals" among a log's metadata, where `<log>` chose.
inline constexpr const char* selected_signals_text = "those that <log> names, and all that came from devices";

/// The recorded signals of a run, and where they lie.
struct RecordedSignals {
  std::vector<LogChannel> channels;
  std::vector<RecordSource> sources;
};
RecordedSignals recorded_signals(const Runtime& runtime, const RunLogOptions& options);

/// Everything that a run reads: the files of its diagram, and those that its blocks name.
void name_inputs(const System& system, const Sources* sources, OutputFiles& files);

/// The log of one run: the outputs of every block, one channel a block, and all that is needed to run it again.
class RunLog {
public:
  /// Null, and `error`, where the file cannot be made or the signals cannot be recorded. `path` may be empty where
  /// there is a tap: nothing is kept.
  static std::unique_ptr<RunLog> create(const Runtime& runtime, const RunOrigin& origin, const std::string& path,
                                        const RunLogOptions& options, std::string& error);

  Recorder& recorder() { return *recorder_; }
  /// After the run: false, and `error`, where the log is not complete. `more`: what else is known at the end.
  bool close(const SimulationResult& result, std::string& error, const std::map<std::string, std::string>& more = {});
  std::uint64_t bytes() const { return writer_->bytes(); }
  /// Why no more is written, while the run may continue; empty where all is.
  std::string lost() const { return writer_->failed() ? writer_->error() : ""; }
  /// Was there a log of this name? And what an unfinished one of it is called now; empty where there was none.
  bool replaces() const { return replaces_; }
  const std::string& kept() const { return kept_; }
  /// What it may take and what there is: "12 GB, and 3 GB are free there"; empty where there is room in any case.
  const std::string& shortage() const { return shortage_; }

private:
  RunLog() = default;
  std::unique_ptr<OutputFile> open_file(const RunOrigin& origin, const System& system, const LogSchema& schema,
                                        const std::string& path, const RunLogOptions& options, std::string& error);
  bool begin(std::unique_ptr<OutputFile> file, const LogSchema& schema, const RecordedSignals& kept,
             const Runtime& runtime, const RunLogOptions& options, std::string& error);
  std::unique_ptr<LogWriter> writer_;
  std::optional<Recorder> recorder_;
  bool replaces_ = false;
  std::string kept_, shortage_;
};

} // namespace hilda::session
