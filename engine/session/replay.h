// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/detail/replay/comparison.h"
#include "engine/session/recorded_run.h"
#include "engine/session/run_ticks.h"
#include "engine/session/tuning.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::session {

/// Feeds a log's measurements to a system instead of its devices and runs it tick by tick.
///
/// To be made before the Runtime, which takes it as RuntimeOptions::replay where the log's run touched devices; the
/// Runtime is not started, so that no device is connected.
///
/// What a simulated rig gave can stand for measurements too: its blocks then do not run, their outputs are those of the
/// log. That goes through the calls of the blocks, so the Runtime then takes it as `observer` and runs block by block.
class Replay : public AcquireSource, public CallObserver {
public:
  /// Both must outlive it. The log is read from its first sample on.
  Replay(Log& log, const RecordedRun& recorded) : log_(log), recorded_(recorded) {}

  /// Finds every measurement of the system in the log and puts the gates where they began. None where that is done;
  /// else what is missing, in words.
  /// @param rig  path of a subsystem whose recorded outputs replace it; empty: only devices are replaced
  std::string bind(Runtime& runtime, const std::string& rig = {});
  /// After bind: brings a runtime to where the log begins, which may be within a run. In words what does not fit.
  std::string begin(Runtime& runtime, Tuning& tuning);
  /// After bind: something of the log replaces what the system would have measured.
  bool open_loop() const { return open_loop_; }

  struct Ending {
    SimulationResult run;
    std::string gap; ///< why it ended before the log's last tick, or what the log lacks; empty: it did not
    /// The system ended by itself in another tick than was recorded.
    bool other_end = false;
    std::int64_t recorded_ticks = 0; ///< that were repeated
  };
  /// @param recorder   null: nothing is recorded
  /// @param interrupt  null, or set by anyone: the replay ends there
  Ending run(Runtime& runtime, Tuning& tuning, Recorder* recorder, Comparison& comparison,
             const std::atomic<bool>* interrupt);

  bool acquire(std::int64_t tick) noexcept override;
  void call(const Call& call, const hilda_tick* tick) override;

private:
  struct Piece {
    std::size_t offset = 0; ///< in the channel's sample
    void* target = nullptr;
    std::size_t bytes = 0;
  };
  std::string bind_measurements(const Runtime& runtime);
  bool recorded_in_part(const SystemSignal& signal) const;
  std::string bind_rig(const Runtime& runtime, const std::string& rig);
  bool thinned(const Runtime& runtime, const SystemSignal& signal) const;
  std::optional<SignalPlace> place_of(const SystemSignal& signal) const;
  void take(const SignalPlace& place, const SystemSignal& signal);
  bool read_tick();
  /// Would a log that is whole have samples of this tick, whatever its conditions were?
  bool due(std::int64_t tick) const;
  std::int64_t ticks_of_run() const;
  void step(Runtime& runtime, RunTicks& ticks, Recorder* recorder, Comparison& comparison, Ending& result);
  bool catch_up(Runtime& runtime, RunTicks& ticks, Recorder* recorder, Comparison& comparison, std::int64_t to,
                Ending& result);
  bool lost() const;
  std::optional<Pace> pace() const;
  std::int64_t whole(const SignalPlace& place) const;
  void intervene(Runtime& runtime, Recorder* recorder, Ending& result);

  Log& log_;
  const RecordedRun& recorded_;
  const System* system_ = nullptr;               ///< of the runtime that was bound
  std::vector<std::vector<Piece>> measurements_; ///< by channel of the log
  Indexed<BlockIndex, bool> replaced_;           ///< its outputs are the log's
  bool open_loop_ = false;
  std::set<std::int64_t> dividers_; ///< of channels without a condition
  std::optional<SignalPlace> lost_, periods_, overdue_;
  std::size_t lost_offset_ = 0;

  std::int64_t tick_ = -1;                      ///< of what is buffered
  std::vector<std::vector<std::byte>> samples_; ///< by channel; empty: none in this tick
  std::vector<std::size_t> order_;              ///< channels that have one
  Log::Sample ahead_;                           ///< the first of the next tick
  std::vector<std::byte> ahead_data_;
  bool have_ahead_ = false, at_end_ = false;
  std::size_t next_intervention_ = 0;
  Tuning* tuning_ = nullptr;
};

} // namespace hilda::session
