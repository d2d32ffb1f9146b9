// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/simulation.h"

#include "engine/session/run_ticks.h"
#include "engine/session/summary_document.h"
#include "engine/session/summary_limits.h"
#include "engine/session/summary_parameters.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/values.h"
#include "python/simulation/parameter_unit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace hilda::python {

namespace py = pybind11;

namespace {
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::chrono::milliseconds between_looks{50};
} // namespace

/// Keeps a second thread out while the interpreter's lock is given up, and a function that `run` calls from what would
/// change the run under it.
class Simulation::Use {
public:
  enum class From : std::uint8_t { outside, anywhere };
  explicit Use(Simulation& simulation, From from = From::outside) : simulation_(simulation) {
    const bool called = simulation_.calling_ != std::thread::id();
    if (simulation_.busy_ || (called && simulation_.calling_ != std::this_thread::get_id()))
      raise_error("this simulation is running in another thread");
    if (called && from == From::outside)
      raise_error("run() is calling this function: it can read and write the simulation, but not run, set, reset or "
                  "restore it, nor begin or end its log. Return False to end the run");
    simulation_.busy_ = true;
  }
  ~Use() { simulation_.busy_ = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

private:
  Simulation& simulation_;
};

Simulation::Simulation(Request request) : request_(std::move(request)) {
  if (!request_.solver.empty() && !solver_named(request_.solver))
    raise_error(fmt::format("the solver is one of {}, not '{}'", fmt::join(solver_names(), ", "), request_.solver));
  loaded_ = std::make_unique<Loaded>(request_);
}

Simulation::~Simulation() {
  try {
    if (log_) close_log(*log_, log_file_);
  } catch (const std::exception&) { // no one is there to notify; the log is whole up to here
    PyErr_Clear();
  }
}

/// Another diagram from now on: the log of the one before ends, and its handles with it.
void Simulation::adopt(std::unique_ptr<Loaded> loaded) {
  end_log();
  loaded_ = std::move(loaded);
  findings_.forget();
  ++generation_;
}

Loaded& Simulation::loaded() {
  const Use use(*this, Use::From::anywhere);
  return *loaded_;
}

/// As a diagram would have them: a number of Python's gets the unit that the parameter has.
std::vector<std::pair<std::string, std::string>> Simulation::texts_of(const std::vector<Setting>& settings) const {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [path, text, bare] : settings) {
    const std::string unit = bare ? unit_of_bare_number(loaded_->runtime(), path) : "";
    texts.emplace_back(path, unit.empty() ? text : text + " " + unit);
  }
  return texts;
}

namespace {

/// Another unit would change those of all signals behind it.
void must_keep_units(const Runtime& before, const Runtime& now, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const std::optional<Unit> had = open_unit(before, setting.path), has = open_unit(now, setting.path);
    if (had && has && *had != *has)
      raise_error(fmt::format("'{}' is in {}, and '{}' is in {}: set keeps units; another unit needs a new "
                              "Simulation(..., settings={{'{}': '{}'}})",
                              setting.path, had->text(), setting.text, has->text(), setting.path, setting.text));
  }
}

} // namespace

void Simulation::set(const std::vector<Setting>& settings) {
  const Use use(*this);
  Request request = request_;
  for (const auto& setting : texts_of(settings)) {
    const auto same = [&setting](const auto& other) { return other.first == setting.first; };
    std::erase_if(request.settings, same);
    request.settings.push_back(setting);
  }
  auto loaded = std::make_unique<Loaded>(request);
  must_keep_units(loaded_->runtime(), loaded->runtime(), settings);
  adopt(std::move(loaded));
  request_ = std::move(request);
  result_ = {};
  ended_ = false;
}

void Simulation::reset() { set({}); }

/// After the run has gone somewhere else.
void Simulation::stand_at_present() {
  ended_ = false;
  result_ = {};
  result_.steps = loaded_->runtime().tick();
  result_.time = loaded_->runtime().time();
}

std::vector<std::string> Simulation::rebuild(const Request& request) {
  auto loaded = std::make_unique<Loaded>(request);
  loaded_->settle(recorder());
  std::vector<std::string> anew = loaded->take_over(*loaded_);
  adopt(std::move(loaded));
  request_ = request;
  stand_at_present();
  return anew;
}

namespace {

/// A number that is set is in the unit that the parameter declares: one that is written is in SI.
bool declared_in_si(const Runtime& runtime, const Input& input) {
  const auto in_si = [&runtime](const InputTarget& target) {
    const Slot& slot = runtime.memory().layout(target.parameter.block).slots[target.slot];
    return !slot.unit.fixed() || (slot.declared.factor() == 1 && slot.declared.offset == 0);
  };
  return std::all_of(input.targets().begin(), input.targets().end(), in_si);
}

} // namespace

/// Numbers as numbers, where each of them can be. False, and nothing is written, where one is better reported as a
/// text.
bool Simulation::write_live(const std::vector<std::pair<std::string, py::object>>& settings) {
  std::vector<std::vector<double>> rooms(settings.size());
  std::vector<InputNumbers> numbers;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [path, value] = settings[i];
    Diagnostics unheard;
    const std::shared_ptr<Input> input = py::isinstance<py::str>(value) ? nullptr : loaded_->input(path, unheard);
    if (input == nullptr || !declared_in_si(loaded_->runtime(), *input)) return false;
    try {
      numbers.push_back({input.get(), numbers_of(value, *input, rooms[i])});
    } catch (const py::builtin_exception&) { return false; } // the text says what is wrong with it
  }
  Diagnostics diagnostics;
  if (!loaded_->tuning().try_numbers(numbers, diagnostics)) return false;
  if (loaded_->tuning().write(numbers) != Written::taken) return false;
  loaded_->hear(diagnostics);
  return true;
}

std::vector<std::string> Simulation::set_live(const std::vector<std::pair<std::string, py::object>>& values) {
  const Use use(*this, Use::From::anywhere);
  must_go_on();
  if (write_live(values)) return {};
  std::vector<Setting> settings;
  for (const auto& [path, value] : values)
    settings.push_back({path, value_text(value), !py::isinstance<py::str>(value)});
  loaded_->settle(recorder());
  std::vector<LiveSetting> all;
  for (const auto& [path, text] : texts_of(settings)) all.push_back({path, text});
  Diagnostics diagnostics;
  const std::optional<LiveChange> looked = loaded_->tuning().look(all, diagnostics);
  if (looked && looked->needs == ChangeNeeds::rebuild) {
    if (calling_ != std::thread::id())
      raise_error(fmt::format("'{}' needs the diagram to be built again, which a function that run() calls cannot do: "
                              "set it before run()",
                              all.front().path));
    Request request = request_;
    for (const LiveSetting& each : all) request.settings.emplace_back(each.path, each.text);
    return rebuild(request);
  }
  Diagnostics again; // the blocks say the same as when it was looked at
  if (!looked) raise_diagram_error(diagnostics);
  if (!loaded_->tuning().set(all, recorder(), again)) raise_diagram_error(again);
  loaded_->hear(diagnostics);
  return {};
}

std::vector<std::string> Simulation::reload() {
  const Use use(*this);
  must_go_on();
  return rebuild(request_);
}

void Simulation::back(std::int64_t ticks) {
  const Use use(*this);
  if (ticks < 0) throw py::value_error("a number of ticks from 0 on");
  Timeline& timeline = loaded_->timeline();
  const std::int64_t to = loaded_->runtime().tick() - ticks;
  if (!timeline.obstacle().empty()) raise_error("no way back: " + timeline.obstacle());
  loaded_->settle(recorder());
  if (to < timeline.begin())
    raise_error(fmt::format("no way back to tick {}: the past begins at tick {}", to, timeline.begin()));
  end_log();
  const LoopWatch::Piece watched(&watch_);
  if (!timeline.go_to(to)) raise_error(fmt::format("tick {} could not be made again", to));
  loaded_->find_timed();
  stand_at_present();
}

nlohmann::ordered_json Simulation::get(const std::string& path) {
  nlohmann::ordered_json all = parameters();
  const auto found = all.find(path);
  if (found == all.end()) raise_unknown("there is no parameter '" + path + "'");
  return *found;
}

std::vector<Run::Source> Simulation::sources_to_record(const std::optional<std::vector<std::string>>& words) {
  const SignalTable& table = *loaded_->table();
  std::vector<bool> wanted(table.names().size(), !words.has_value());
  if (words) {
    for (const std::string& word : *words) {
      const std::vector<std::size_t> found = table.matching(word);
      if (found.empty()) raise_unknown(table.missing(word));
      for (const std::size_t signal : found) wanted[signal] = true;
    }
  } else {
    std::set<std::string> kept;
    const RecordedSignals recorded = recorded_signals(loaded_->runtime(), {});
    for (const LogChannel& channel : recorded.channels)
      for (const LogField& field : channel.fields) kept.insert(channel.path + "." + field.name);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = kept.contains(table.names()[i]);
  }
  std::vector<Run::Source> sources;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) sources.push_back({i, loaded_->data(i), table.field(i).bytes()});
  return sources;
}

std::int64_t Simulation::ticks_to_run(std::optional<double> duration) {
  Runtime& runtime = loaded_->runtime();
  if (duration) {
    if (!(*duration > 0)) throw py::value_error("a run's duration is above 0 s");
    return ticks_in(duration, runtime.base());
  }
  for (const NamedParameter& parameter : runtime.system().parameters)
    if (parameter.path == "duration" && parameter.value.kind == Value::Kind::number && parameter.value.scalar())
      return std::max<std::int64_t>(ticks_in(parameter.value.numbers[0], runtime.base()) - runtime.tick(), 0);
  raise_error("how long? The diagram has no parameter 'duration': say run(10) for 10 s");
}

void Simulation::take_written(Recorder* recorder) {
  do {
    if (recorder != nullptr) recorder->wait_for_room();
    loaded_->tuning().take(recorder);
  } while (recorder != nullptr && loaded_->tuning().numbers_wait());
}

/// Also the last one, which may be shorter; not that of a run that fails.
bool Simulation::window_is_whole(const Windows* windows, const RunTicks& taken, bool going) {
  if (windows == nullptr || (going && loaded_->runtime().tick() < windows->next())) return false;
  taken.conclude(result_);
  return result_.reason != SimulationResult::Reason::failed;
}

/// False: the run is to end. What the function raises is kept in `windows`.
bool Simulation::call(Windows& windows, const Run& run) {
  calling_ = std::this_thread::get_id();
  busy_ = false;
  const bool goes_on = windows.call(run, result_);
  busy_ = true;
  calling_ = {};
  take_written(recorder());
  return goes_on;
}

/// Up to a tick at which someone looks, or to a time. False: no tick is left, or the run has ended.
bool Simulation::piece(RunTicks& taken, std::int64_t& ticks, Run* run, std::int64_t pause, Clock::time_point until) {
  loaded_->timeline().note();
  Runtime& runtime = loaded_->runtime();
  runtime.look_at_step();
  pause = std::min(loaded_->next_timed(), pause);
  Recorder* const to = recorder();
  const auto record = [run, to](std::int64_t tick) {
    if (run != nullptr) run->record(tick);
    if (to == nullptr) return;
    to->wait_for_room();
    to->record(tick);
  };
  for (int i = 1;; ++i) {
    if (!taken.next(record) || --ticks <= 0) return false;
    if (runtime.tick() == pause || StepLength::due(runtime.tick()) || (i % 64 == 0 && Clock::now() > until))
      return true;
  }
}

void Simulation::loop(std::int64_t ticks, Run* run, RunLog* log, Windows* windows) {
  const Clock::time_point start = Clock::now();
  bool going = ticks > 0;
  RunTicks taken(loaded_->runtime(), false, result_.steps);
  active_ = log;
  result_.reason = SimulationResult::Reason::duration;
  Recorder* const recorder = log != nullptr ? &log->recorder() : nullptr;
  take_written(recorder);
  LoopWatch::Piece watched(&watch_);
  while (going) {
    loaded_->take_timed(recorder);
    {
      const py::gil_scoped_release release;
      going = piece(taken, ticks, run, windows != nullptr ? windows->next() : never, Clock::now() + between_looks);
      watched.look();
    }
    const bool interrupted = PyErr_CheckSignals() != 0;
    if (!interrupted && (!window_is_whole(windows, taken, going) || call(*windows, *run))) continue;
    if (interrupted || going) result_.reason = SimulationResult::Reason::interrupted;
    going = false;
  }
  active_ = log_.get();
  result_.wall_time += std::chrono::duration<double>(Clock::now() - start).count();
  taken.conclude(result_);
  ended_ = taken.ended();
}

void Simulation::warn_of_run() {
  Diagnostics found;
  watch_.report(loaded_->runtime().system().where, found);
  findings_.report(loaded_->runtime(), found);
  if (found.all().empty()) return;
  for (const Diagnostic& each : found.all())
    if (PyErr_WarnEx(PyExc_RuntimeWarning, each.text().c_str(), 1) != 0) throw py::error_already_set();
  loaded_->hear(found);
}

void Simulation::must_go_on() const {
  if (!ended_) return;
  const bool stopped = result_.reason == SimulationResult::Reason::stopped;
  raise_error(fmt::format("the run {} at t = {} s ({}); reset() begins again, restore() goes back to a checkpoint",
                          stopped ? "was ended by a block" : "failed", result_.time, result_.ending.text));
}

void Simulation::fail_if_failed(const std::shared_ptr<Run>& run) const {
  if (ended_ && result_.reason == SimulationResult::Reason::failed)
    raise_run_error(result_.ending, run ? py::cast(run) : py::none());
}

SummaryFigures Simulation::figures() const {
  SummaryFigures figures = gather_figures(loaded_->runtime());
  if (!figures.problems.empty()) raise_error(figures.problems.front());
  return figures;
}

std::unique_ptr<RunLog> Simulation::open_log(const std::string& file, std::optional<std::int64_t> ticks,
                                             bool may_end_earlier) {
  loaded_->settle(nullptr);
  RunLogOptions options;
  options.live = loaded_->tuning().taken();
  options.ticks = ticks;
  options.may_end_earlier = may_end_earlier;
  std::string error;
  std::unique_ptr<RunLog> log = RunLog::create(loaded_->runtime(), loaded_->origin(request_), file, options, error);
  if (!log) raise_error(error);
  return log;
}

void Simulation::close_log(RunLog& log, const std::string& file) {
  const nlohmann::ordered_json summary =
      summary_document(loaded_->runtime(), result_, loaded_->origin(request_), figures(), file);
  std::string error;
  if (!log.close(result_, error, {{"summary", json_text(summary)}})) raise_error(error);
}

void Simulation::begin_log(const std::string& file) {
  const Use use(*this);
  must_go_on();
  if (log_) raise_error("the log " + log_file_ + " is being written: end_log() first");
  log_ = open_log(file, std::nullopt, true);
  active_ = log_.get();
  log_file_ = file;
}

void Simulation::finish_log() {
  const Use use(*this);
  end_log();
}

void Simulation::end_log() {
  const std::unique_ptr<RunLog> log = std::move(log_);
  active_ = nullptr;
  if (log) close_log(*log, log_file_);
}

std::unique_ptr<InputHandle> Simulation::input(const std::string& path) {
  const Use use(*this, Use::From::anywhere);
  must_go_on();
  Diagnostics diagnostics;
  std::shared_ptr<Input> input = loaded_->input(path, diagnostics);
  if (input == nullptr) raise_diagram_error(diagnostics);
  return std::make_unique<InputHandle>(*this, std::move(input));
}

std::unique_ptr<OutputHandle> Simulation::output(const std::string& path) {
  const Use use(*this, Use::From::anywhere);
  const SignalTable& table = *loaded_->table();
  const auto place = table.find(path);
  if (!place) raise_unknown(table.missing(path));
  return std::make_unique<OutputHandle>(*this, generation_, path, loaded_->data(place->signal),
                                        table.field(place->signal), place->part);
}

void Simulation::must_be(std::uint64_t generation, const std::string& path) const {
  if (busy_) raise_error("this simulation is running in another thread");
  if (generation != generation_)
    raise_error("output '" + path + "' belongs to a diagram that was reloaded: ask the present one for its output");
}

void Simulation::write(Input& input, std::span<const double> numbers) {
  const Use use(*this, Use::From::anywhere);
  if (ended_) must_go_on();
  if (const Written written = input.write(numbers); written != Written::taken) raise_refused(input, written, numbers);
}

void Simulation::write_many(const py::dict& values) {
  const Use use(*this, Use::From::anywhere);
  must_go_on();
  std::vector<std::vector<double>> rooms(values.size());
  std::vector<InputNumbers> numbers;
  for (const auto& [key, value] : values) {
    Diagnostics diagnostics;
    const std::shared_ptr<Input> input = py::isinstance<InputHandle>(key)
                                             ? key.cast<const InputHandle&>().shared()
                                             : loaded_->input(plain_text(key, "the path of an input"), diagnostics);
    if (input == nullptr) raise_diagram_error(diagnostics);
    const std::size_t i = numbers.size();
    numbers.push_back({input.get(), numbers_of(value, *input, rooms[i])});
  }
  std::size_t which = 0;
  const Written written = loaded_->tuning().write(numbers, &which);
  if (written != Written::taken) raise_refused(*numbers[which].input, written, numbers[which].numbers);
}

std::shared_ptr<Run> Simulation::run(std::optional<double> duration,
                                     const std::optional<std::vector<std::string>>& record, const std::string& log,
                                     Windows* windows) {
  const Use use(*this);
  must_go_on();
  const std::int64_t ticks = ticks_to_run(duration);
  auto run = std::make_shared<Run>(loaded_->table(), sources_to_record(record), loaded_->runtime().base());
  if (!log.empty() && log_) raise_error("the log " + log_file_ + " is being written: end_log() first");
  const std::unique_ptr<RunLog> file = log.empty() ? nullptr : open_log(log, ticks, !duration.has_value());
  if (windows != nullptr) windows->begin(loaded_->runtime());
  loop(ticks, run.get(), file ? file.get() : log_.get(), windows);
  run->finish(result_);
  if (file) close_log(*file, log);
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (windows != nullptr) windows->raise(run);
  warn_of_run();
  fail_if_failed(run);
  return run;
}

bool Simulation::step(std::int64_t ticks) {
  const Use use(*this);
  must_go_on();
  if (ticks < 1) throw py::value_error("at least one tick");
  loop(ticks, nullptr, log_.get(), nullptr);
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  warn_of_run();
  fail_if_failed(nullptr);
  return !ended_;
}

Simulation::Ticks::Ticks(Simulation& simulation, std::int64_t ticks)
    : simulation_(simulation), taken_(simulation.loaded_->runtime(), false, simulation.result_.steps), ticks_(ticks) {
  {
    const Use use(simulation);
    simulation.must_go_on();
  }
  simulation.busy_ = true;
}

Simulation::Ticks::~Ticks() {
  settle();
  simulation_.busy_ = false;
}

void Simulation::Ticks::settle() {
  simulation_.result_.reason = SimulationResult::Reason::duration;
  taken_.conclude(simulation_.result_);
  simulation_.ended_ = taken_.ended();
}

void Simulation::Ticks::take(Clock::time_point until) {
  Loaded& loaded = *simulation_.loaded_;
  if (!begun_) simulation_.take_written(simulation_.recorder());
  begun_ = true;
  LoopWatch::Piece watched(&simulation_.watch_);
  do {
    if (loaded.next_timed() <= loaded.runtime().tick()) {
      const py::gil_scoped_acquire lock;
      loaded.take_timed(simulation_.recorder());
    }
    left_ = simulation_.piece(taken_, ticks_, nullptr, never, until);
    watched.look();
  } while (left_ && Clock::now() < until);
}

void Simulation::Ticks::conclude() {
  settle();
  simulation_.warn_of_run();
  simulation_.fail_if_failed(nullptr);
}

Checkpoint Simulation::checkpoint() {
  const Use use(*this, Use::From::anywhere);
  const std::vector<std::string> without = loaded_->runtime().without_checkpoint();
  if (!without.empty()) raise_error("no checkpoint: the state of " + without.front() + " lies outside of the engine");
  return loaded_->runtime().checkpoint();
}

void Simulation::restore(const Checkpoint& checkpoint) {
  const Use use(*this);
  if (!checkpoint.intact()) raise_error("the checkpoint is damaged: its checksum does not fit");
  loaded_->settle(recorder());
  end_log();
  if (!loaded_->runtime().restore(checkpoint)) raise_error("the checkpoint is of another diagram");
  loaded_->forget();
  stand_at_present();
}

py::object Simulation::value(const std::string& signal) {
  const Use use(*this, Use::From::anywhere);
  const SignalTable& table = *loaded_->table();
  const auto place = table.find(signal);
  if (!place) raise_unknown(table.missing(signal));
  return sample_value(loaded_->data(place->signal), table.field(place->signal), place->part);
}

std::string Simulation::unit(const std::string& signal) {
  const Use use(*this, Use::From::anywhere);
  const SignalTable& table = *loaded_->table();
  const auto place = table.find(signal);
  if (!place) raise_unknown(table.missing(signal));
  return unit_of(table.field(place->signal), place->part);
}

nlohmann::ordered_json Simulation::parameters() {
  const Use use(*this, Use::From::anywhere);
  loaded_->settle(recorder());
  return parameter_values(loaded_->runtime());
}

nlohmann::ordered_json Simulation::limits() {
  const Use use(*this, Use::From::anywhere);
  return limit_values(loaded_->runtime().system());
}

nlohmann::ordered_json Simulation::quality() {
  const Use use(*this, Use::From::anywhere);
  return quality_values(loaded_->runtime().system());
}

nlohmann::ordered_json Simulation::summary() {
  const Use use(*this, Use::From::anywhere);
  loaded_->settle(recorder());
  return summary_document(loaded_->runtime(), result_, loaded_->origin(request_), figures(), "");
}

} // namespace hilda::python
