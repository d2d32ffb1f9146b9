// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/loop_watch.h"
#include "engine/modules.h"
#include "engine/session/detail/paced/paced_loop.h"

#include <functional>
#include <memory>

namespace hilda::session {

/// How well a paced run kept its time.
struct RealtimeFigures {
  double period = 0; ///< s
  std::string clock; ///< path of the block that paced it, or "timer"
  std::int64_t ticks = 0, lost = 0, overruns = 0;
  std::int64_t late = 0;         ///< replies after the next cycle was due, without those of the next line
  std::int64_t witness_late = 0; ///< the same, while the machine kept the witness waiting too
  bool witnessed = false;
  std::int64_t log_dropped = 0;    ///< ticks whose observed signals the log lacks
  std::int64_t log_unrecorded = 0; ///< ticks of which the log has nothing
  LatencyHistogram jitter, reply, compute, witness;
  std::vector<Overrun> overruns_kept; ///< the first of them
};

/// How a paced run went.
struct PacedResult {
  SimulationResult run;
  bool moved = true; ///< false: it ended before its first tick
  RealtimeFigures figures;
};

/// What a person sees of a paced run that continues.
struct PacedProgress {
  OperatorState state = OperatorState::idle;
  double time = 0; ///< s, of the ticks so far
  std::int64_t ticks = 0, lost = 0, late = 0, overruns = 0;
  double slowest_reply = 0; ///< s, since the progress before
};

struct PacedOptions {
  LoopOptions loop;
  RealtimeSettings thread;
  bool witness = false;
  std::function<void(const PacedProgress&)> progress; ///< ten times a second, on the caller's thread
  std::function<void(const ChannelLook&)> looked;     ///< once, when the measured channels were looked at; likewise
  /// A plugin has changed something of the process; in words, on the caller's thread. A run that moves something fails
  /// by it.
  std::function<void(const std::string&)> taken;
};

/// What blocks have done in addition to their work, in words: the ending of a run that fails by it. Empty: nothing.
struct Taken {
  std::string process, memory;
};

/// Runs a system at the pace of a timer or of a device, on its own thread.
///
/// To be made before the Runtime, which takes `timer()` as its observer and runs block by block.
class Executor {
public:
  BlockTimer& timer() { return timer_; }

  /// After the runtime was made: finds what paces it. False after a report; codes: clock-twice, clock-period.
  bool prepare(Runtime& runtime, Diagnostics& diagnostics);
  /// Before Runtime::start: locks the memory and asks for the rights that the loop's thread needs. The loop runs
  /// without those that are refused.
  Refusals claim_rights(const RealtimeSettings& settings);
  /// After prepare, for the log. `block_times`: of each block too.
  std::vector<LogChannelSource> channels(const Runtime& runtime, bool block_times) const;
  /// "timer", or the path of the block that paces it.
  std::string clock_name(const Runtime& runtime) const;

  /// After Runtime::start, to its end. Nothing in it throws once the loop has begun.
  PacedResult run(Runtime& runtime, Recorder* recorder, const PacedOptions& options);

private:
  BlockTimer timer_;
  RealtimeSignals signals_;
  std::optional<PacingBlock> pacing_;
  std::unique_ptr<LockedMemory> locked_; ///< for as long as devices are connected
  Taken taken_;
};

} // namespace hilda::session
