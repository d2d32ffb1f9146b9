// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/loop_watch.h"
#include "engine/compile/loaded_diagram.h"
#include "engine/compile/timed_settings.h"
#include "engine/run/runtime.h"
#include "engine/session/run_log.h"
#include "engine/session/run_ticks.h"
#include "engine/session/simulation.h"
#include "engine/session/solver_findings.h"
#include "engine/session/summary_figures.h"
#include "engine/session/timeline.h"
#include "python/interpreter/made.h"
#include "python/simulation/outside.h"
#include "python/simulation/run.h"
#include "python/simulation/signal_table.h"
#include "python/simulation/windows.h"
#include "tools/modules.h"

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <pybind11/pybind11.h>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hilda::python {

/// A parameter's path, and what it is set to.
struct Setting {
  std::string path, text;
  bool bare = false; ///< a number of Python's, without a unit: it is in SI, of the unit that the parameter has
};

/// What a simulation is made of, in the words of the command line.
struct Request {
  std::string diagram, mode, rig, solver;
  std::vector<std::pair<std::string, std::string>> settings; ///< path and text, in the order they were given
  std::vector<std::string> overlays, plugins;
  std::vector<const BlockType*> blocks; ///< of classes in this process, for this diagram
  std::optional<std::string> text;      ///< of the diagram, instead of its file's
};

/// The diagram, checked; the fault with it is in its diagnostics. Error where it touches devices.
/// `takes_times`: what overlays set while it runs is taken; else it is an error.
std::unique_ptr<LoadedDiagram> load_diagram(const Request& request, bool takes_times = false);

/// A diagram that was loaded, planned and started: all of one attempt, so that an attempt that fails leaves the last
/// one as it was.
class Loaded {
public:
  /// Throws DiagramError, or Error where the diagram touches devices.
  explicit Loaded(const Request& request);
  ~Loaded();
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  Runtime& runtime() { return *runtime_; }
  const std::shared_ptr<const SignalTable>& table() const { return table_; }
  const std::byte* data(std::size_t signal) const { return data_[signal]; }
  const Diagnostics& diagnostics() const { return diagram_->diagnostics(); }
  /// Warnings of what was set while it runs; those that are there already are not reported again.
  void hear(const Diagnostics& said);
  const std::vector<std::string>& remarks() const { return diagram_->remarks(); }
  RunOrigin origin(const Request& request) const;
  Tuning& tuning() { return *tuning_; }
  /// What was written to inputs is in the records, the log and the system's texts.
  void settle(Recorder* recorder);
  /// The input of this path; null: it is written by texts, and `why` says the reason.
  std::shared_ptr<Input> input(const std::string& path, Diagnostics& why);
  /// Kept from the first call on.
  Timeline& timeline();
  /// Continues where another attempt is; what restarts.
  std::vector<std::string> take_over(Loaded& before);
  /// From a checkpoint on there is another past.
  void forget();
  /// Takes what overlays set at the present tick. Throws DiagramError where that is refused.
  void take_timed(Recorder* recorder);
  /// After the run has gone somewhere else.
  void find_timed();
  /// The next tick at which they do, or the largest number.
  std::int64_t next_timed() const;

private:
  void list_signals();

  std::unique_ptr<LoadedDiagram> diagram_; ///< outlives the runtime
  std::unique_ptr<Runtime> runtime_;
  std::shared_ptr<const SignalTable> table_;
  std::vector<const std::byte*> data_; ///< by signal of the table
  std::unique_ptr<Tuning> tuning_;
  std::unique_ptr<Timeline> timeline_;
  std::vector<TimedChange> timed_;
  std::size_t next_timed_ = 0;
  std::map<std::string, std::shared_ptr<Input>, std::less<>> inputs_; ///< null: none
};

/// hilda.Simulation. One thread at a time; a second one that comes while it runs gets an Error.
class Simulation {
public:
  using BoundToPython = void;

  explicit Simulation(Request request);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Changes settings and begins again at t = 0. Where one is wrong or changes the unit of a parameter, DiagramError or
  /// Error, and nothing has changed.
  void set(const std::vector<Setting>& settings);
  /// At the present tick, and the run continues. DiagramError where one is wrong or may not change by then. What starts
  /// again, where the diagram had to be built again.
  /// Numbers go the way of `write` where they can, and keep no memory.
  std::vector<std::string> set_live(const std::vector<std::pair<std::string, pybind11::object>>& settings);
  /// Continues in the diagram as its files are now; what restarts.
  std::vector<std::string> reload();
  /// By so many ticks; what was set since is taken back.
  void back(std::int64_t ticks);
  /// The value that a parameter has, in SI.
  nlohmann::ordered_json get(const std::string& path);
  /// Begins again at t = 0.
  void reset();

  /// @param duration  s, from here on; none: to the diagram's parameter `duration`
  /// @param record    words for signals; none: every recorded output
  /// @param log       file of the log, or empty
  /// @param windows   who is called between ticks, or null
  std::shared_ptr<Run> run(std::optional<double> duration, const std::optional<std::vector<std::string>>& record,
                           const std::string& log, Windows* windows = nullptr);
  /// Ticks without recording in memory; false: a block ended the run.
  bool step(std::int64_t ticks);

  /// A handle of a parameter, or of an input of the diagram. DiagramError where there is none.
  std::unique_ptr<InputHandle> input(const std::string& path);
  /// A handle of a signal, or of a part of one. KeyError where there is none.
  std::unique_ptr<OutputHandle> output(const std::string& path);
  /// Before the next tick.
  void write(Input& input, std::span<const double> numbers);
  /// Several at once, or none: by path or by handle.
  void write_many(const pybind11::dict& values);
  /// Error where the diagram has been loaded again since.
  void must_be(std::uint64_t generation, const std::string& path) const;
  /// From now on every tick goes into this log, until end_log, or until the run goes somewhere else.
  void begin_log(const std::string& file);
  void end_log();
  /// The same, asked for by Python.
  void finish_log();

  Checkpoint checkpoint();
  void restore(const Checkpoint& checkpoint);

  pybind11::object value(const std::string& signal);
  std::string unit(const std::string& signal);
  nlohmann::ordered_json parameters();
  nlohmann::ordered_json limits();
  nlohmann::ordered_json quality();
  nlohmann::ordered_json summary();

  /// Between two calls from Python.
  Loaded& loaded();
  class Ticks;
  /// Changes where the diagram is loaded again.
  std::uint64_t generation() const { return generation_; }
  const Request& request() const { return request_; }

private:
  using Clock = std::chrono::steady_clock;
  SummaryFigures figures() const;
  std::unique_ptr<RunLog> open_log(const std::string& file, std::optional<std::int64_t> ticks, bool may_end_earlier);
  void close_log(RunLog& log, const std::string& file);
  Recorder* recorder() const { return active_ != nullptr ? &active_->recorder() : nullptr; }
  void adopt(std::unique_ptr<Loaded> loaded);
  bool write_live(const std::vector<std::pair<std::string, pybind11::object>>& settings);
  std::vector<std::pair<std::string, std::string>> texts_of(const std::vector<Setting>& settings) const;
  std::vector<std::string> rebuild(const Request& request);
  void stand_at_present();
  class Use;
  std::vector<Run::Source> sources_to_record(const std::optional<std::vector<std::string>>& words);
  std::int64_t ticks_to_run(std::optional<double> duration);
  /// The loop; throws what an interrupt raises.
  void loop(std::int64_t ticks, Run* run, RunLog* log, Windows* windows);
  /// What was written since the last tick is taken.
  void take_written(Recorder* recorder);
  bool piece(RunTicks& taken, std::int64_t& ticks, Run* run, std::int64_t pause, Clock::time_point until);
  bool call(Windows& windows, const Run& run);
  bool window_is_whole(const Windows* windows, const RunTicks& taken, bool going);
  /// Warns of what plugins have changed of the process, and of how the run was solved; throws where Python makes an
  /// error of a warning.
  void warn_of_run();
  void must_go_on() const;
  void fail_if_failed(const std::shared_ptr<Run>& run) const;

  Request request_;
  std::unique_ptr<Loaded> loaded_;
  bool busy_ = false;
  std::thread::id calling_; ///< the thread on which `run` calls a function of Python, while it does
  bool ended_ = false;      ///< by a block or a failure: `result_` says which
  SimulationResult result_;
  std::uint64_t generation_ = 0; ///< of what is loaded
  std::unique_ptr<RunLog> log_;
  RunLog* active_ = nullptr; ///< that records now: `log_`, or that of `run`
  std::string log_file_;
  LoopWatch watch_;
  NewFindings findings_;
};

/// Ticks of one of several simulations that are stepped together, as `step` takes them.
class Simulation::Ticks {
public:
  /// Error where it is in use or over.
  Ticks(Simulation& simulation, std::int64_t ticks);
  ~Ticks();
  Ticks(const Ticks&) = delete;
  Ticks& operator=(const Ticks&) = delete;

  /// Some of them, at least one, up to a time. Without the interpreter's lock, on any thread.
  void take(Clock::time_point until);
  bool left() const { return left_; }
  /// When none is left, or the run is interrupted. Throws what `step` does.
  void conclude();
  bool ended() const { return taken_.ended(); }

private:
  void settle();

  Simulation& simulation_;
  RunTicks taken_;
  std::int64_t ticks_;
  bool left_ = true, begun_ = false;
};

} // namespace hilda::python
