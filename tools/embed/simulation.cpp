// SPDX-License-Identifier: BSD-3-Clause
#include "tools/embed/simulation.h"

#include "engine/base/error.h"
#include "engine/run/start.h"
#include "engine/session/loop_clock.h"
#include "engine/session/summary_document.h"
#include "engine/session/summary_figures.h"
#include "engine/session/summary_parameters.h"
#include "engine/session/verdict_text.h"
#include "tools/cli/version.h"
#include "tools/embed/failure.h"
#include "tools/embed/library.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace hilda::embed {
namespace {

std::string text_or_none(const char* text) { return text != nullptr ? text : ""; }

std::vector<std::string> texts(const char* const* all, std::size_t count, const char* name) {
  if (all == nullptr && count > 0)
    fail(HILDA_SIM_INVALID, "sim-null",
         std::string("hilda_sim_options: ") + name + " is null, and its count is " + std::to_string(count),
         "give as many texts, or the count 0");
  std::vector<std::string> made;
  for (const char* each : std::span(all, count)) {
    if (each == nullptr)
      fail(HILDA_SIM_INVALID, "sim-null",
           std::string("hilda_sim_options: ") + name + "[" + std::to_string(made.size()) + "] of " +
               std::to_string(count) + " is null",
           "give as many texts as the count says");
    made.emplace_back(each);
  }
  return made;
}

std::optional<SolverKind> solver_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::optional<SolverKind> kind = solver_named(name);
  if (kind) return kind;
  std::string all;
  for (const std::string& each : solver_names()) all += (all.empty() ? "" : ", ") + each;
  fail(HILDA_SIM_INVALID, "sim-solver", "there is no solver " + in_quotes(name), "the solvers are " + all);
}

hilda_sim_status status_of(Written why) {
  switch (why) {
  case Written::gone: return HILDA_SIM_GONE;
  case Written::other_run: return HILDA_SIM_OTHER;
  case Written::no_room: return HILDA_SIM_BUSY;
  default: return HILDA_SIM_NUMBERS;
  }
}

[[noreturn]] void refuse(const Input& input, Written why, std::span<const double> numbers) {
  fail(status_of(why), "sim-numbers", input.refusal(why, numbers), "");
}

} // namespace

Simulation::Simulation(const hilda_sim_options& options)
    : diagram_{text_or_none(options.diagram), text_or_none(options.text)}, is_text_(options.text != nullptr),
      plugins_(texts(options.plugins, options.plugin_count, "plugins")), message_(options.message),
      context_(options.context) {
  if (diagram_.name.empty() && !is_text_)
    fail(HILDA_SIM_INVALID, "sim-null", "hilda_sim_options: diagram and text are null",
         "give the diagram's file, or its text");
  if (diagram_.name.empty()) diagram_.name = "text";
  options_.mode = text_or_none(options.mode);
  options_.rig = text_or_none(options.rig);
  options_.settings = given_ = texts(options.settings, options.setting_count, "settings");
  options_.overlays = texts(options.overlays, options.overlay_count, "overlays");
  options_.solver.kind = solver_of(text_or_none(options.solver));
  LiveSimulation::Hooks hooks;
  hooks.build = [this](const std::vector<LiveSetting>& settings, Diagnostics& found) { return build(settings, found); };
  hooks.adopted = [this] { adopt(); };
  hooks.next_log = [this](const Runtime&, const std::vector<TakenChange>&, const SimulationResult& so_far) {
    close_log(so_far);
    return nullptr;
  };
  Diagnostics diagnostics;
  BuiltDiagram built = build({}, diagnostics);
  if (built.runtime == nullptr) fail(HILDA_SIM_DIAGRAM, diagnostics);
  adopt();
  live_ =
      std::make_unique<LiveSimulation>(std::move(built), nullptr, std::nullopt, &interrupt_, std::move(hooks), false);
}

/// The fault of it is in its diagnostics.
std::unique_ptr<LoadedDiagram> Simulation::load(const std::vector<LiveSetting>& settings) {
  const LibraryUse library;
  Diagnostics of_plugins;
  library.installation().load_plugins(plugins_, of_plugins);
  LoadOptions options = options_;
  options.library_path = library.installation().library_path();
  for (const LiveSetting& each : settings) options.settings.push_back(each.path + "=" + each.text);
  auto made = std::make_unique<LoadedDiagram>(library.installation().host().catalogue());
  made->take_times();
  const bool whole = is_text_ ? made->load(diagram_, options) : made->load(diagram_.name, options);
  made->diagnostics().take(of_plugins, whole); // a broken plugin that the diagram does not need is only a warning
  if (whole && touches_world(made->system()))
    fail(HILDA_SIM_DIAGRAM, "sim-devices",
         diagram_.name + " in mode " + in_quotes(made->system().mode) + " touches devices, and this API simulates",
         "choose another mode, or run it with `hilda run`");
  built_with_ = options.settings;
  return made;
}

BuiltDiagram Simulation::build(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics) {
  built_ = load(settings);
  RuntimeOptions running;
  running.solver = options_.solver;
  std::unique_ptr<Runtime> runtime = started_ ? start_runtime(*built_, running) : make_runtime(*built_, running);
  diagnostics.take(built_->diagnostics(), false);
  if (runtime == nullptr) return {};
  tell_warnings(built_->diagnostics());
  tell_remarks(built_->remarks());
  return {std::move(runtime), built_->timed()};
}

/// What was built last is what runs.
void Simulation::adopt() {
  before_ = std::move(loaded_);
  loaded_ = std::move(built_);
  options_.settings = built_with_;
  handles_.renew();
}

void Simulation::tell(const Diagnostic& said, int severity) const {
  if (message_ == nullptr) return;
  const KeptMessage kept{said, severity == HILDA_SIM_REMARK ? said.what : said.text()};
  hilda_sim_message message{};
  message.size = sizeof message;
  show(kept, severity, message);
  message_(context_, &message);
}

void Simulation::tell_warnings(const Diagnostics& said) const {
  for (const Diagnostic& each : said.sorted())
    if (each.severity == Diagnostic::Severity::warning) tell(each, HILDA_SIM_WARNING);
}

void Simulation::tell_remarks(const std::vector<std::string>& remarks) const {
  for (const std::string& each : remarks) {
    Diagnostic remark;
    remark.what = each;
    tell(remark, HILDA_SIM_REMARK);
  }
}

void Simulation::start() {
  if (started_) fail(HILDA_SIM_STATE, "sim-started", "the simulation is started already", "start it once");
  Diagnostics diagnostics;
  if (!live_->runtime().start(diagnostics)) fail(HILDA_SIM_DIAGRAM, diagnostics);
  started_ = true;
  tell_warnings(diagnostics);
}

std::string Simulation::how_it_ended() const {
  const Ending ending = live_->runtime().ending();
  const std::string& whose = ending.signal.empty() ? ending.block : ending.signal;
  return "at t = " + decimal(ending.time) + " s: " + (whose.empty() ? "" : whose + ": ") + verdict_text(ending);
}

void Simulation::must_go_on() const {
  if (live_->ended())
    fail(HILDA_SIM_STATE, "sim-over", "the run ended " + how_it_ended(),
         "hilda_sim_reset restarts it, hilda_sim_restore goes back to a checkpoint");
}

hilda_sim_status Simulation::run(double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds))
    fail(HILDA_SIM_INVALID, "sim-duration", "a run cannot take " + decimal(seconds) + " s",
         "give a finite time above 0 s");
  return step(ticks_in(seconds, live_->runtime().base()));
}

hilda_sim_status Simulation::step(std::int64_t ticks) {
  if (ticks < 1)
    fail(HILDA_SIM_INVALID, "sim-ticks", "a run cannot take " + std::to_string(ticks) + " ticks", "give 1 or more");
  if (!started_)
    fail(HILDA_SIM_STATE, "sim-not-started", "the simulation is not started",
         "call hilda_sim_start before the first tick");
  must_go_on();
  const std::int64_t from = live_->tick(), most = std::numeric_limits<std::int64_t>::max() - from;
  Diagnostics diagnostics;
  const SimulationResult& result = live_->run_to(from + std::min(ticks, most), diagnostics);
  if (!diagnostics.ok()) fail(HILDA_SIM_DIAGRAM, diagnostics);
  tell_warnings(diagnostics);
  if (live_->ended()) {
    if (result.reason != SimulationResult::Reason::failed) return HILDA_SIM_ENDED;
    fail(HILDA_SIM_FAILED, "sim-failed", "the run failed " + how_it_ended(),
         "hilda_sim_reset restarts it, hilda_sim_restore goes back to a checkpoint");
  }
  if (result.reason != SimulationResult::Reason::interrupted) return HILDA_SIM_OK;
  interrupt_.store(false, std::memory_order_relaxed);
  return HILDA_SIM_INTERRUPTED;
}

void Simulation::reset() {
  const std::vector<std::string> settings = std::exchange(options_.settings, given_);
  Diagnostics diagnostics;
  if (!live_->restart(diagnostics)) {
    options_.settings = settings;
    fail(HILDA_SIM_DIAGRAM, diagnostics);
  }
  must_have_log();
}

void Simulation::reload() {
  must_go_on();
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  if (!live_->reload(diagnostics, anew)) fail(HILDA_SIM_DIAGRAM, diagnostics);
  tell_remarks(anew);
  must_have_log();
}

void Simulation::end() {
  close_log(live_->so_far());
  const std::unique_ptr<Runtime> runtime = live_->release();
  if (!runtime->stop())
    fail(HILDA_SIM_FAILED, "sim-failed",
         "block " + in_quotes(runtime->ending().block) + " failed while it stopped: " + verdict_text(runtime->ending()),
         "the simulation is closed nevertheless");
  must_have_log();
}

hilda_sim_input Simulation::find_input(const std::string& path, hilda_sim_shape* shape) {
  must_go_on();
  return handles_.find_input(live_->tuning(), path, shape);
}

hilda_sim_output Simulation::find_output(const std::string& path, hilda_sim_shape* shape) {
  return handles_.find_output(live_->runtime(), path, shape);
}

void Simulation::write(hilda_sim_input handle, std::span<const double> numbers) {
  Input& input = handles_.input(handle);
  if (live_->ended()) must_go_on();
  if (const Written written = input.write(numbers); written != Written::taken) refuse(input, written, numbers);
}

void Simulation::write(std::span<const hilda_sim_numbers> all) {
  must_go_on();
  std::vector<InputNumbers> numbers;
  for (const hilda_sim_numbers& each : all) {
    if (each.numbers == nullptr)
      fail(HILDA_SIM_INVALID, "sim-null", "the numbers for input " + std::to_string(numbers.size()) + " are null",
           "give an array for each input");
    numbers.push_back({&handles_.input(each.input), std::span(each.numbers, each.count)});
  }
  std::size_t which = 0;
  const Written written = live_->tuning().write(numbers, &which);
  if (written != Written::taken) refuse(*numbers[which].input, written, numbers[which].numbers);
}

void Simulation::read(hilda_sim_output handle, std::span<double> numbers) const {
  const Output& output = handles_.output(handle);
  if (numbers.size() != output.size())
    fail(HILDA_SIM_NUMBERS, "sim-numbers",
         "output " + in_quotes(output.path()) + " is read into an array of " + std::to_string(output.size()) +
             ", and this one has " + std::to_string(numbers.size()),
         "hilda_sim_find_output gives the count");
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = output.number(i);
}

void Simulation::set(const std::vector<LiveSetting>& settings) {
  must_go_on();
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  if (!live_->set(settings, diagnostics, anew)) fail(HILDA_SIM_DIAGRAM, diagnostics);
  tell_warnings(diagnostics);
  tell_remarks(anew);
  must_have_log();
}

const char* Simulation::get(const std::string& path) {
  live_->settle();
  const std::optional<std::string> found = live_->tuning().text_of(path);
  if (!found) {
    const std::string near = nearest(path, parameter_paths(live_->runtime().system()));
    fail(HILDA_SIM_DIAGRAM, "unknown-setting", "there is no parameter " + in_quotes(path),
         near.empty() ? "a path is that of a block and its parameter, or of a <parameter> or <input>"
                      : "did you mean " + in_quotes(near) + "?");
  }
  text_ = *found;
  return text_.c_str();
}

const char* Simulation::ending() {
  text_ = live_->ended() ? how_it_ended() : "";
  return text_.c_str();
}

const char* Simulation::summary() {
  live_->settle();
  const SummaryFigures figures = gather_figures(live_->runtime());
  if (!figures.problems.empty()) fail(HILDA_SIM_FAILED, "sim-summary", figures.problems.front(), "");
  text_ = json_text(summary_document(live_->runtime(), live_->so_far(), origin(), figures, log_file_));
  return text_.c_str();
}

std::vector<unsigned char> Simulation::checkpoint() const {
  const std::vector<std::string> without = live_->runtime().without_checkpoint();
  if (!without.empty())
    fail(HILDA_SIM_CHECKPOINT, "sim-checkpoint",
         "no checkpoint is possible: the state of " + without.front() + " is outside of the engine",
         "use a block that can save its state");
  return live_->runtime().checkpoint().packed();
}

void Simulation::restore(std::span<const unsigned char> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  const std::optional<Checkpoint> checkpoint = Checkpoint::unpacked(text);
  if (!checkpoint || !checkpoint->intact())
    fail(HILDA_SIM_CHECKPOINT, "sim-checkpoint",
         "the " + std::to_string(bytes.size()) + " bytes are not a whole checkpoint: they are cut or damaged",
         "give all bytes that hilda_sim_checkpoint gave");
  if (!started_)
    fail(HILDA_SIM_STATE, "sim-not-started", "the simulation is not started",
         "call hilda_sim_start before hilda_sim_restore");
  if (!live_->restore(*checkpoint))
    fail(HILDA_SIM_CHECKPOINT, "sim-checkpoint",
         "the checkpoint is of another diagram than " + in_quotes(diagram_.name),
         "load the diagram that it was made of");
  must_have_log();
}

RunOrigin Simulation::origin() const {
  RunOrigin origin;
  origin.version = cli::version;
  origin.git = cli::revision;
  origin.diagram = diagram_.name;
  origin.overlays = options_.overlays;
  origin.settings = options_.settings;
  origin.rig = options_.rig;
  origin.sources = &loaded_->sources();
  origin.plugins = &LibraryUse().installation().host();
  return origin;
}

void Simulation::begin_log(const std::string& file) {
  must_go_on();
  if (log_ != nullptr)
    fail(HILDA_SIM_STATE, "sim-log", "the log " + in_quotes(log_file_) + " is being written",
         "call hilda_sim_end_log first");
  live_->settle();
  RunLogOptions options;
  options.live = live_->tuning().taken();
  std::string error;
  std::unique_ptr<RunLog> log = RunLog::create(live_->runtime(), origin(), file, options, error);
  if (log == nullptr) fail(HILDA_SIM_FILE, "sim-log", error, "name a file that can be written");
  log_ = std::move(log);
  log_file_ = file;
  live_->record(&log_->recorder());
}

void Simulation::end_log() {
  close_log(live_->so_far());
  must_have_log();
}

void Simulation::close_log(const SimulationResult& result) {
  if (log_ == nullptr) return;
  live_->record(nullptr);
  const std::unique_ptr<RunLog> log = std::move(log_);
  log->close(result, log_error_);
}

/// The log that ended is whole.
void Simulation::must_have_log() {
  const std::string error = std::exchange(log_error_, {});
  if (!error.empty())
    fail(HILDA_SIM_FILE, "sim-log", "the log " + in_quotes(log_file_) + " is not complete: " + error,
         "look whether its disk is full");
}

} // namespace hilda::embed
