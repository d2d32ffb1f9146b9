// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/plugin/block_fault.h"
#include "engine/plugin/floating_point.h"
#include "engine/plugin/running_code.h"
#include "engine/run/call_observer.h"
#include "engine/run/checkpoint.h"
#include "engine/run/detail/loop/ending.h"
#include "engine/run/detail/loop/ledger.h"
#include "engine/run/detail/loop/parameter_patch.h"
#include "engine/run/detail/safety/safety.h"
#include "engine/run/detail/schedule/driven_parameters.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/detail/schedule/watch.h"
#include "engine/run/detail/solve/solver.h"
#include "engine/run/pacing.h"
#include "engine/run/schedule.h"

#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::run {

/// An output of the running system, as recorders, ledgers and people see it.
struct SystemSignal {
  std::string path; ///< "rig.sensor.wrench"
  BlockIndex block{};
  SlotIndex slot{};
  int item = -1;
  SignalType type;
  Span span;
};

/// Replaces the devices: replay.
class AcquireSource {
public:
  virtual ~AcquireSource() = default;
  /// [loop] Writes every measurement output of this tick; replaces the blocks' acquire. False: there is no such tick.
  virtual bool acquire(std::int64_t tick) noexcept = 0;
};

/// Says how late it is, where ticks are due at times of the clock.
class SendClock {
public:
  virtual ~SendClock() = default;
  /// [loop] Base periods, rounded, since what this tick sends was due.
  virtual std::int64_t overdue() noexcept = 0;
};

struct RuntimeOptions {
  bool separate = false; ///< one call a block: for audits, traps and clocks
  SolverChoice solver;   ///< overrides the diagram's
  bool simulated = true;
  bool fenced = false;              ///< known bytes around each block's memory, for audits
  CallObserver* observer = nullptr; ///< makes the calls of the blocks' phases: only with `separate`
  std::uint32_t lanes = 8;          ///< so many equal blocks are computed at once at most; the bits are the same
  bool every_value = false;         ///< NaN is looked for in every value at every tick, as on hardware and in replay
  /// Something moves that is not simulated: gates start at rest (see `hold`), and every ending is a ramped stop.
  bool hardware = false;
  bool paced = false;              ///< ticks are due at times of the clock
  bool dry_run = false;            ///< all but emit
  AcquireSource* replay = nullptr; ///< called instead of acquire; there is no emit then
  /// Of another runtime of this system, which differed in values on which no feedthrough depends; null: a new one is
  /// made.
  std::shared_ptr<const Plan> plan = nullptr;
};

/// A system in memory, ready to run tick by tick. The README of this module describes one.
class Runtime final : private RunningLoop {
public:
  /// Plans, lays out memory, configures and initialises every block. Null after errors (reported).
  static std::unique_ptr<Runtime> create(System system, const RuntimeOptions& options, Diagnostics& diagnostics);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Connects the blocks that have a start phase. False after a report; what had started is stopped again.
  bool start(Diagnostics& diagnostics);
  /// Disconnects every block that has started, whatever one of them does in that. False where one threw or left another
  /// floating-point mode behind: the run has then failed, and `ending` says by whom.
  bool stop() noexcept;

  enum class HoldResult {
    holding,      ///< every device was sent what keeps it where it is
    rest_unknown, ///< a device does not know its position yet: nothing was sent to it
    failed        ///< a device gave a value that is not a place to rest at, or failed: see `ending`
  };
  /// [loop] One cycle before tick 0, as often as one likes: acquire, every gate takes its device's rest value, emit.
  /// The diagram does not run. Tick 0 starts from the last one, at rest. Blocks see a tick of index -1.
  HoldResult hold() noexcept;
  /// Replaces hold in replay: where the gate before `input` starts from. False: no such gate, or another size.
  bool set_rest(std::string_view input, std::span<const double> value) { return safety_.set_rest(input, value); }
  /// The gates in their present state, in the order of the wires. Spans stay valid as long as the runtime.
  std::vector<GateView> gates() const { return safety_.gates(); }

  /// [loop] Before compute: the pacing device gave no cycle, so nothing can be sent to it in this tick. Its gates do
  /// not move, its emit is skipped, and the missed motion is caught up with smoothly from the next cycle on.
  void cycle_lost() noexcept { lost_ = true; }
  /// A real device moves: this is neither a simulation nor a replay.
  bool moves_devices() const noexcept { return options_.hardware && options_.replay == nullptr; }
  /// Something real takes what it is sent at times of the clock: a timer paces the loop, or another device does.
  bool timed() const noexcept { return options_.hardware && !options_.dry_run && safety_.timed().valid(); }
  /// [loop] Before compute, where `timed`: the tick's place on the clock. A device that had no sample in time is at
  /// rest, and its gates continue from there; too many cycles of the timer in a row without one end the run.
  void pace(const Pace& pace) noexcept { pace_ = pace, paced_ = true; }
  /// [loop] What is too late for its device by this clock is not sent; null: everything is sent.
  void send_by(SendClock* clock) noexcept { send_clock_ = clock; }
  /// [loop] Between two ticks: the gates ramp to rest, then compute returns false. `text` must be a literal.
  void request_stop(const char* text) noexcept { end(Cause::requested, text); }
  /// [loop] The same, as a failure; `block`: whose, or none.
  void request_failure(const char* text, BlockIndex block = {}) noexcept { end(Cause::device, text, block); }
  /// [loop] Between two ticks, instead of a ramp: what moves by a velocity or a force at times of the clock is sent
  /// zero once. Nothing may follow but `stop`.
  void let_go() noexcept;
  /// [loop] After the last tick. Where the last sample of a ramp was not sent, since it was too late or the device was
  /// taken to have come to rest by itself, what moves by a velocity or a force is let go.
  void leave() noexcept {
    if (safety_.rolls()) let_go();
  }
  /// [loop] There is a reason to end, the gates are on their way to rest. `ending` is known.
  bool stopping() const noexcept { return cause_ != Cause::none; }

  /// [loop] Between two ticks: writes parameters and lets their blocks prepare. A block that refuses ends the run.
  void change(const ParameterPatch& patch) noexcept;
  /// [loop] The same once finite numbers were written into parameters' records: these blocks prepare, each once.
  void changed(std::span<const BlockIndex> blocks) noexcept;
  /// What the parameters are called, written and worth, for those who ask and for the next change: the loop reads the
  /// records alone. One thread at a time.
  ParameterUndo adopt(const ParameterChange& change) { return compile::adopt(system_, change); }
  void take_back(const ParameterUndo& undo) { compile::take_back(system_, undo); }

  /// One tick in two halves: acquire, outputs, emit; then (after the recorder had its look) update and integrate.
  /// False: the run has ended, see `ending`.
  bool compute() noexcept;
  bool advance() noexcept;
  bool step() noexcept { return compute() && advance(); }

  /// Between two ticks, of a simulation: is a fixed step short enough for what the states do? See Solver.
  void look_at_step() noexcept;
  /// Between two ticks of a simulation: from there on the solver looks for events that wait for their tick.
  void watch_events();

  std::int64_t tick() const { return tick_; }
  double time() const;
  /// s, exact: one base tick
  Rational base() const { return system_.base; }
  Ending ending() const;

  /// Throws BlockFault where a block that keeps its state itself does not give it, as do all that write one.
  Checkpoint checkpoint() const;
  /// False where it is damaged or of another diagram; nothing is changed then.
  bool restore(const Checkpoint& checkpoint);
  /// The same to a checkpoint that this object has made or restored before, unchanged since: it is not looked through
  /// again, which is most of what restoring a small system costs.
  bool go_back(const Checkpoint& checkpoint);
  /// Takes the state of another runtime: states, held outputs, guards, gates and the account of energy, by paths and
  /// names, and the time. Returns what restarts: "lead.previous: another shape". None, and nothing changed, where this
  /// one has
  std::optional<std::vector<std::string>> take_over(const Runtime& from);
  /// Blocks whose state lives elsewhere and cannot be saved: empty where checkpoints work.
  std::vector<std::string> without_checkpoint() const;

  const System& system() const { return system_; }
  const Plan& plan() const { return plan_; }
  /// For another runtime of the same system with other values (RuntimeOptions::plan).
  std::shared_ptr<const Plan> shared_plan() const { return shared_plan_; }
  const Memory& memory() const { return *memory_; }
  Memory& memory() { return *memory_; }
  SafetyStage& safety() { return safety_; }
  /// What flowed through the diagram's power ports so far.
  const Ledger& ledger() const { return ledger_; }
  /// Where NaN is looked for.
  const Watch& watch() const { return watch_; }
  const std::vector<SystemSignal>& signals() const { return signals_; }
  const SystemSignal* find_signal(const std::string& path) const;
  const Solver& solver() const { return solver_; }
  /// Of a run that has gone back: what its solver had counted there.
  void count_from(const SolverCounts& counts) { solver_.count_from(counts); }
  const hilda_instance& instance(BlockIndex block) const { return instances_[block]; }
  /// The block that runs at this moment: only with `separate`.
  const char* running() const { return running_; }

  /// Between two ticks: has a block written beyond its own memory? False where one has: the run has failed by it, which
  /// comes before all that followed of it.
  bool look_at_canaries() noexcept;
  /// The same from another thread, in words; empty: none has.
  std::string overrun_words() const;

private:
  Runtime(System system, std::shared_ptr<const Plan> plan, const RuntimeOptions& options);
  bool configure(Diagnostics& diagnostics);
  bool initialize(Diagnostics& diagnostics);
  bool start_values(BlockIndex block, Diagnostics& diagnostics);
  bool bind_solver(Diagnostics& diagnostics);
  /// Which blocks flag what they do: before the schedule is made.
  void find_flagging();
  void check_fences(BlockIndex block, const char* phase, Diagnostics& diagnostics);
  /// After a phase of all blocks, or of one. Code: block-overrun.
  void check_canaries(const char* phase, Diagnostics& diagnostics);
  void list_signals();
  void prepare(BlockIndex block) noexcept;
  /// Of a checkpoint, without external states.
  std::size_t checkpoint_bytes() const;
  bool fits(const Checkpoint& checkpoint) const;
  std::uint64_t fingerprint() const;
  void run(const std::vector<Call>& calls) noexcept;
  void run_always(const Call* at, const Call* end);
  void run_call(const Call& call);
  void run_due(const Call& call);
  void run_engine_call(const Call& call);
  void run_single(const Call& call);
  /// Who makes the calls of the blocks, or null.
  CallObserver* observer() const noexcept { return options_.separate ? options_.observer : nullptr; }
  void mark(StepMark place) noexcept {
    if (CallObserver* const watching = observer(); watching != nullptr) watching->mark(place);
  }
  /// Calls `body`; what a block throws ends the run as failed.
  template <typename Body> void guarded(Body&& body) noexcept {
    try {
      body();
    } catch (const std::exception& thrown) { note_throw(thrown.what()); } catch (...) {
      note_throw("what is not a std::exception");
    }
  }
  void note_throw(const char* what) noexcept;
  /// One of these calls has changed the floating-point mode: puts it back and ends the run.
  void blame_mode(std::initializer_list<const std::vector<Call>*> calls) noexcept;
  /// Makes those calls again until one changes it again; false where none does.
  bool blame_again(const std::vector<Call>& calls) noexcept;
  /// The code that runs has; likewise.
  void blame_mode() noexcept;
  void say_mode(const char* phase, const char* type, BlockIndex block) noexcept;
  /// Calls stop of all that has started; `tell(block, fault)`.
  template <typename Tell> void stop_started(Tell&& tell);
  static void report_in_loop(void* runtime, const char* slot, const char* text);
  RunningCode running_code() const noexcept override;
  /// Whose record this is, or none.
  BlockIndex block_at(const void* record) const noexcept;
  /// Whose path this very text is, or none.
  BlockIndex block_named(const char* path) const noexcept;
  std::int64_t beat() const noexcept override { return beat_.load(std::memory_order_relaxed); }
  double loop_time() const noexcept override;
  void call_one_by_one() noexcept override;
  RunningCode overrun() const noexcept override;
  void call_alone(const Call& call, std::uint64_t item);
  double time_of(std::int64_t tick) const noexcept;
  void set_times(std::int64_t tick) noexcept;

  /// The source of an ending, by where it is recorded.
  enum class Cause : std::uint8_t { none, number, limit, verdict, requested, device };
  void end(Cause cause, const char* text = nullptr, BlockIndex block = {}) noexcept;
  /// A block fails while it is stopped: the run has failed, too, unless it had before.
  void fail_stop(BlockIndex block, const char* what) noexcept;
  void call_device(const Call& call, const char* phase) noexcept;
  /// Every acquire that is due.
  void measure() noexcept;
  bool acquire() noexcept;
  void emit() noexcept;
  void send(const Call& call) noexcept;
  bool too_late(BlockIndex block, std::int64_t& overdue) noexcept;
  void settle() noexcept;
  /// Looks for a reason to end.
  void find_cause() noexcept;
  bool revised() const noexcept;
  bool priming() const noexcept;
  bool over() noexcept;
  const FloatingPointMode arithmetic_ = FloatingPointMode::current();
  System system_;
  const std::shared_ptr<const Plan> shared_plan_;
  const Plan& plan_ = *shared_plan_;
  RuntimeOptions options_;
  std::unique_ptr<Memory> memory_;
  Indexed<BlockIndex, hilda_instance> instances_;
  Flagging flagging_;
  Indexed<BlockIndex, unsigned char> marked_before_; ///< by configure, prepare or initialize, before tick 0
  ModeWitness modes_;
  DrivenParameters driven_;
  Schedule schedule_;
  GuardStates guards_;
  SafetyStage safety_;
  Ledger ledger_;
  Watch watch_;
  Solver solver_;
  std::vector<SystemSignal> signals_;
  hilda_control control_{};
  Indexed<RateIndex, hilda_tick> ticks_;
  Indexed<RateIndex, unsigned char> due_;
  bool always_due_ = false; ///< there is one rate and no guard: every call runs at every tick
  bool marked_ = false;     ///< the processor has had a mark of NaN, infinity or overflow in this tick
  std::int64_t tick_ = 0;
  std::vector<BlockIndex> primed_; ///< under no guard: they are primed in their first tick
  bool watches_events_ = false;
  bool priming_ = true;                 ///< the first tick, or a block that restarts is still to be primed
  std::atomic<BlockIndex> preparing_{}; ///< whose prepare runs at this moment, by `change`
  const char* running_ = nullptr;
  RunningCall call_{nullptr};
  std::atomic<std::int64_t> call_item_{-1}; ///< what runs alone of a call, see call_alone; -1: all of it
  std::atomic<std::int64_t> beat_{0};
  char error_[400] = {}; ///< what a block threw or reported in the loop
  std::vector<BlockIndex> started_;
  Indexed<BlockIndex, unsigned char> pacing_; ///< a lost cycle is its
  bool lost_ = false;                         ///< this tick's cycle
  std::int64_t held_ = 0;                     ///< cycles before tick 0
  std::int64_t lost_ticks_ = 0;               ///< in a row, while stopping
  Pace pace_;
  bool paced_ = false; ///< `pace_` is of this tick
  LostInARow lost_in_a_row_;
  SendClock* send_clock_ = nullptr;
  Cause cause_ = Cause::none;
  const char* cause_text_ = nullptr;
  BlockIndex cause_block_;
  hilda_control cause_verdict_{};
  std::int64_t cause_tick_ = 0;
  mutable std::uint64_t fingerprint_ = 0; ///< 0: not asked for yet
};

} // namespace hilda::run
