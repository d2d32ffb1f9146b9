#pragma once

#include "engine/model/diagnostic.h"
#include "engine/observe/ledger.h"
#include "engine/run/call_observer.h"
#include "engine/run/checkpoint.h"
#include "engine/run/guards.h"
#include "engine/run/safety.h"
#include "engine/run/schedule.h"
#include "engine/run/solver.h"
#include "engine/run/watch.h"

#include <memory>
#include <string>
#include <vector>

namespace hilda {

/// An output of the running system, as recorders, ledgers and people see it.
struct SystemSignal {
  std::string path; ///< "rig.sensor.wrench"
  int block = -1, slot = -1, item = -1;
  SignalType type;
  Span span;
};

struct RuntimeOptions {
  bool separate = false; ///< one call a block: for audits, traps and clocks
  SolverKind solver = SolverKind::rk4;
  bool simulated = true;
  CallObserver* observer = nullptr; ///< makes the calls of the blocks' phases: only with `separate`
};

/// Why a run came to its end.
struct Ending {
  enum class Kind { none, stopped, failed } kind = Kind::none;
  double time = 0;
  std::string block;  ///< path
  std::string signal; ///< path, where a signal is at fault
  std::string text;
  double value = 0; ///< NaN: nothing to show
};

/// A system in memory, ready to run tick by tick. See DESIGN in docs/architecture.md, "One step".
class Runtime {
public:
  /// Plans, lays out memory, configures and initialises every block. Null after errors (reported).
  static std::unique_ptr<Runtime> create(System system, const RuntimeOptions& options, Diagnostics& diagnostics);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Connects the blocks that have a start phase. False after a report; what had started is stopped again.
  bool start(Diagnostics& diagnostics);
  void stop();

  /// One tick in two halves: acquire, outputs, emit; then (after the recorder had its look) update and integrate.
  /// False: the run has ended, see `ending`.
  bool compute() noexcept;
  bool advance() noexcept;
  bool step() noexcept { return compute() && advance(); }

  std::int64_t tick() const { return tick_; }
  double time() const;
  /// s, exact: one base tick
  Rational base() const { return system_.base; }
  Ending ending() const;

  Checkpoint checkpoint() const;
  /// From this very system; false where the size shows that it is of another, and nothing is changed then.
  bool restore(const Checkpoint& checkpoint);
  /// Blocks whose state lives elsewhere and cannot be saved: empty where checkpoints work.
  std::vector<std::string> without_checkpoint() const;

  const System& system() const { return system_; }
  const Plan& plan() const { return plan_; }
  const Memory& memory() const { return *memory_; }
  Memory& memory() { return *memory_; }
  SafetyStage& safety() { return safety_; }
  /// What flowed through the diagram's power ports so far.
  const Ledger& ledger() const { return ledger_; }
  const std::vector<SystemSignal>& signals() const { return signals_; }
  const SystemSignal* find_signal(const std::string& path) const;
  const hilda_instance& instance(int block) const { return instances_[static_cast<std::size_t>(block)]; }
  /// The block that runs at this moment: only with `separate`.
  const char* running() const { return running_; }

private:
  Runtime(System system, Plan plan, const RuntimeOptions& options);
  bool configure(Diagnostics& diagnostics);
  void initialize();
  void list_signals();
  /// Of a checkpoint, without external states.
  std::size_t checkpoint_bytes() const;
  void run(const std::vector<Call>& calls) noexcept;
  void run_engine_call(const Call& call) noexcept;
  void run_single(const Call& call) noexcept;
  void set_times() noexcept;
  bool verdict() const { return control_.verdict == HILDA_GO && !watch_.broken(); }

  System system_;
  Plan plan_;
  RuntimeOptions options_;
  std::unique_ptr<Memory> memory_;
  std::vector<hilda_instance> instances_;
  Schedule schedule_;
  GuardStates guards_;
  SafetyStage safety_;
  Ledger ledger_;
  Watch watch_;
  Solver solver_;
  std::vector<SystemSignal> signals_;
  hilda_control control_{};
  std::vector<hilda_tick> ticks_; ///< by rate
  std::vector<unsigned char> due_;
  std::int64_t tick_ = 0;
  const char* running_ = nullptr;
  std::vector<int> started_;
};

} // namespace hilda
