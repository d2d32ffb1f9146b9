// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/loop_watch.h"
#include "engine/compile/timed_settings.h"
#include "engine/modules.h"
#include "engine/session/saved_run.h"
#include "engine/session/simulation.h"
#include "engine/session/solver_findings.h"
#include "engine/session/timeline.h"
#include "engine/session/tuning.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::session {

/// A diagram ready to run, and what overlays set while it does.
struct BuiltDiagram {
  std::unique_ptr<Runtime> runtime;
  std::vector<TimedChange> timed;
};

/// A simulation that a client controls: it runs to a tick, waits there, goes back, takes other parameters, and
/// continues with an edited diagram. For one thread, which drives it; others may ask `tuning()` for changes meanwhile.
///
/// A log records one way through time. Where the run goes back, or its diagram is rebuilt, the log ends and the next
/// one begins, with a checkpoint and the earlier settings, so that each can be replayed alone.
class LiveSimulation {
public:
  struct Hooks {
    /// Rebuilds the diagram, as it is in its files now, with these settings behind those that it had; started. No
    /// runtime after errors. What it rests on lives until the next call, or to the end where it is adopted.
    std::function<BuiltDiagram(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics)> build;
    /// The run continues in the diagram that was built last. May be none.
    std::function<void()> adopted;
    /// The log ends here with this result; another may begin. Null: nothing is recorded.
    std::function<Recorder*(const Runtime& runtime, const std::vector<TakenChange>& live,
                            const SimulationResult& so_far)>
        next_log;
    std::function<void(const Progress&)> progress; ///< see SimulationOptions
  };

  /// @param recorder  of the log that has begun; null: nothing is recorded
  /// @param duration   s, from tick 0; none: endless
  /// @param keep_past  false: there is no way back, and no checkpoint costs time
  LiveSimulation(BuiltDiagram diagram, Recorder* recorder, std::optional<double> duration,
                 const std::atomic<bool>* interrupt, Hooks hooks, bool keep_past = true);

  Runtime& runtime() { return *runtime_; }
  Tuning& tuning() { return *tuning_; }
  std::int64_t tick() const { return runtime_->tick(); }
  double time() const { return runtime_->time(); }
  /// The tick before which the run's time is over.
  std::int64_t last() const { return ticks_in(until_, runtime_->base()); }

  /// Continues until this tick, or until the run ends or is interrupted. Timed settings are taken at their ticks; one
  /// that is refused by then ends the call, and is in `diagnostics`; so are warnings about the run so far.
  const SimulationResult& run_to(std::int64_t tick, Diagnostics& diagnostics);
  /// A block or a failure has ended it: it can go back, and no further.
  bool ended() const { return ended_; }
  /// The result so far, as of a run that was left and could continue.
  SimulationResult so_far() const;

  /// At the present tick. Where it takes that, the diagram is rebuilt and the states that restart are listed in `anew`.
  bool set(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, std::vector<std::string>& anew,
           Location where = {});
  /// To an earlier tick. Empty, or why not.
  std::string back_to(std::int64_t tick);
  /// Continues in the diagram as its files are now. False after errors, and nothing has changed.
  bool reload(Diagnostics& diagnostics, std::vector<std::string>& anew);
  /// Where the last `reload` failed since the changed diagram has no tick at this time: it has one at each multiple of
  /// so many ticks. Otherwise 0.
  std::int64_t common_ticks() const { return common_ticks_; }

  /// Begins at tick 0 in the diagram as its files are now. False after errors, and nothing has changed.
  bool restart(Diagnostics& diagnostics);
  /// Gives it as much time as it had, from now on.
  void go_on_as_long_again();
  /// What programs have written is in the records, the log and the texts of the system.
  void settle();
  /// Ticks go into this log from here on; null: into none.
  void record(Recorder* recorder) { recorder_ = recorder; }
  /// Continues from a checkpoint of this diagram: there is another past from then on. False where it is of another one,
  /// and nothing has changed.
  bool restore(const Checkpoint& checkpoint);

  /// What was set in this run, without what overlays did.
  const std::vector<TakenChange>& asked() const { return asked_; }
  /// What does it again, behind what was set before the first tick: the same bits (see save_run).
  RepeatableRun repeat(const std::vector<LiveSetting>& before) const;
  /// The end: gives the runtime back, for its figures. Nothing else may be called then.
  std::unique_ptr<Runtime> release();
  /// What cannot be done again by an overlay, in words; empty: nothing.
  std::string not_repeatable() const;

private:
  bool rebuild(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, std::vector<std::string>& anew);
  void go_on_in(std::unique_ptr<Runtime> next, std::unique_ptr<Tuning> tuning, std::vector<TimedChange> timed);
  void begin_log(const SimulationResult& before);
  /// Texts, or numbers of one input.
  struct Step {
    std::int64_t tick = 0;
    std::vector<LiveSetting> settings; ///< of numbers the path alone
    const InputPast::Entry* written = nullptr;
  };
  std::vector<Step> steps(const std::vector<InputPast::Entry>& numbers) const;
  void add_written(const InputPast::Entry& entry, RepeatableRun& to) const;
  bool take_timed(Diagnostics& diagnostics);
  void find_timed();
  std::int64_t next_pause(std::int64_t tick) const;

  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<Tuning> tuning_;
  std::unique_ptr<Timeline> timeline_;
  Recorder* recorder_;
  const std::optional<double> duration_;
  std::optional<double> until_; ///< s: where the time is over
  const std::atomic<bool>* interrupt_;
  Hooks hooks_;
  const bool keep_past_;
  std::vector<TimedChange> timed_;
  std::size_t next_timed_ = 0;
  std::int64_t common_ticks_ = 0;
  std::vector<TakenChange> asked_;
  std::string not_repeatable_;
  SimulationResult result_;
  bool ended_ = false;
  LoopWatch watch_;
  NewFindings findings_;
};

} // namespace hilda::session
