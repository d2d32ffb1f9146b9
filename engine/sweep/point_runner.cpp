#include "engine/sweep/point_runner.h"

#include "engine/check/parameter_change.h"
#include "engine/loop/start.h"
#include "engine/modes/realtime/loop_clock.h"
#include "engine/modes/sim/time_limit.h"
#include "engine/summary/summary_figures.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace hilda {

/// A diagram that has been loaded, for runs that differ from it in values alone.
struct PointRunner::Prepared {
  explicit Prepared(const Catalogue& catalogue) : diagram(catalogue) {}
  std::string key;                 ///< diagram, rig, overlays
  std::vector<Attribute> settings; ///< it was loaded with
  LoadedDiagram diagram;           ///< keeps what places point to
  std::optional<System> system;
};

namespace {

std::string key_of(const RunPoint& point) {
  std::string key = point.diagram + '\n' + point.rig;
  for (const std::string& overlay : point.overlays) key += '\n' + overlay;
  return key;
}

/// What was said first, in one line.
std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.all())
    if (each.severity == Diagnostic::Severity::error) return each.what;
  return "it cannot be loaded";
}

RuntimeOptions running(const Study& study) {
  RuntimeOptions options;
  options.solver = study.solver == "euler" ? SolverKind::euler : SolverKind::rk4;
  return options;
}

/// Puts the changed values where loading would have put them.
void apply(const ParameterChange& change, const std::vector<ParameterText>& texts, System& system) {
  for (const ParameterText& text : texts) {
    NamedParameter& parameter = system.parameters[text.parameter];
    parameter.scope = system.parameters.outside_of(text.parameter);
    parameter.given.text = text.given.text;
    parameter.given.where = text.given.where;
  }
  for (const ParameterChange::Named& named : change.named) system.parameters[named.parameter].value = named.value;
  for (const ParameterChange::InBlock& changed : change.blocks)
    system.blocks[changed.parameter.block].parameters[changed.parameter.index].value = changed.value;
}

/// A block may take it without being made anew: neither shapes nor feedthrough hang on it.
bool follows(const System& system, const BlockParameter& which) {
  const SystemBlock& block = system.blocks[which.block];
  const Slot& slot = block.type->slots[block.parameters[which.index].slot];
  return slot.is(HILDA_LIVE) || slot.is(HILDA_RECONFIGURE);
}

} // namespace

PointRunner::PointRunner(const LoadedStudy& study, const std::atomic<bool>* interrupt)
    : study_(study), interrupt_(interrupt) {}

PointRunner::~PointRunner() = default;

PointRunner::Done PointRunner::run(const StudyTask& task) { return run(task, nullptr); }

bool PointRunner::run_logged(const StudyTask& task, const RunOrigin& origin, const std::string& log, Done& done,
                             std::string& error) {
  Logged logged{origin, log, {}};
  done = run(task, &logged);
  error = logged.error;
  return error.empty();
}

PointRunner::Done PointRunner::run(const StudyTask& task, Logged* logged) {
  Done done;
  RunPoint point = study_.design().point(task.base, task.overrides);
  done.row.run = task.run, done.row.base = task.base;
  done.row.coordinates = point.coordinates;
  const std::vector<NamedNumber> numbers = study_.design().numbers(point);
  done.row.figures = study_.figures().without(numbers).numbers;
  const auto refused = [&done](const char* ending, const std::string& cause) {
    done.row.ending = ending;
    done.row.cause = cause;
    return done;
  };
  try {
    Diagnostics diagnostics;
    std::optional<double> limit;
    const std::unique_ptr<Runtime> runtime = prepare(point, diagnostics, limit);
    if (runtime == nullptr) return refused("refused", first_error(diagnostics));
    if (touches_world(runtime->system()))
      return refused("refused", "a study runs in simulation, and this touches devices");
    if (!runtime->start(diagnostics)) return refused("refused", first_error(diagnostics));
    std::unique_ptr<RunLog> log;
    if (logged != nullptr) {
      RunOrigin origin = logged->origin;
      origin.diagram = point.diagram, origin.rig = point.rig, origin.overlays = point.overlays;
      for (const Attribute& setting : point.settings) origin.settings.push_back(setting.name + "=" + setting.text);
      if (prepared_ != nullptr) origin.sources = &prepared_->diagram.sources();
      RunLogOptions how;
      how.metadata["solver"] = study_.study().solver;
      log = RunLog::create(*runtime, origin, logged->path, how, logged->error);
      if (log == nullptr) return done;
    }
    bool late = false;
    const SimulationResult result = simulate(*runtime, limit, log ? &log->recorder() : nullptr, late);
    runtime->stop();
    if (log) log->close(result, logged->error);
    describe_end(*runtime, result, late, done, numbers);
  } catch (const std::exception& thrown) { return refused("failed", thrown.what()); }
  return done;
}

void PointRunner::describe_end(const Runtime& runtime, const SimulationResult& result, bool late, Done& done,
                               const std::vector<NamedNumber>& numbers) const {
  using Reason = SimulationResult::Reason;
  StudyRow& row = done.row;
  done.interrupted = result.reason == Reason::interrupted && !late;
  row.ending = late ? "timeout" : reason_name(result.reason);
  row.cause = late ? "it took longer than the study's timeout" : result.ending.text;
  row.block = result.ending.block, row.signal = result.ending.signal;
  row.time = result.time + 0.0, row.steps = result.steps;
  if (late) row.time = 0, row.steps = 0; // how far it came is the machine's doing
  if (row.failed() && late) return;
  const SummaryFigures said = gather_figures(runtime);
  StudyFigures::Result figures = study_.figures().of(runtime, result, said, numbers);
  row.figures = figures.numbers;
  if (!row.failed()) {
    if (!figures.problem.empty()) {
      const StudyFigure& figure = study_.study().figures[figures.culprit];
      done.fault = {figures.culprit, "the figure " + in_quotes(figure.name) + figures.problem, ""};
    }
    if (std::find(figures.found.begin(), figures.found.end(), false) != figures.found.end())
      done.offered = FigurePath::offered(runtime, said);
  }
  done.found = std::move(figures.found);
  done.units = std::move(figures.units);
}

SimulationResult PointRunner::simulate(Runtime& runtime, std::optional<double> limit, Recorder* recorder, bool& late) {
  over_ = false;
  SimulationOptions options;
  options.duration = limit.value_or(default_duration);
  options.interrupt = &over_;
  const std::optional<double> most = study_.study().timeout;
  options.progress = [&](const Progress& progress) {
    late = late || (most && progress.wall_time > *most);
    if (late || (interrupt_ != nullptr && *interrupt_)) over_ = true;
  };
  const SimulationResult result = hilda::simulate(runtime, recorder, options);
  late = late && result.reason == SimulationResult::Reason::interrupted;
  return result;
}

std::unique_ptr<Runtime> PointRunner::prepare(RunPoint& point, Diagnostics& diagnostics, std::optional<double>& limit) {
  if (!multiply(point, diagnostics)) return nullptr;
  const std::string key = key_of(point);
  if (prepared_ != nullptr && prepared_->key == key && prepared_->system)
    if (std::unique_ptr<Runtime> runtime = reuse(point, diagnostics, limit)) return runtime;
  return load(point, key, diagnostics, limit);
}

bool PointRunner::multiply(RunPoint& point, Diagnostics& diagnostics) {
  if (point.factors.empty()) return true;
  std::string key = key_of(point);
  for (const Attribute& setting : point.fixed) key += '\n' + setting.name + '=' + setting.text;
  for (const RunPoint::Factor& factor : point.factors) key += '\n' + factor.path + '*' + decimal(factor.factor);
  const auto [known, fresh] = multiplied_.try_emplace(key);
  if (!fresh) {
    for (const Attribute& setting : known->second) {
      std::erase_if(point.settings, [&](const Attribute& other) { return other.name == setting.name; });
      point.settings.push_back(setting);
    }
    return true;
  }
  const std::size_t before = point.factors.size();
  if (!study_.multiply(point, diagnostics)) {
    multiplied_.erase(known);
    return false;
  }
  known->second.assign(point.settings.end() - static_cast<std::ptrdiff_t>(before), point.settings.end());
  return true;
}

std::unique_ptr<Runtime> PointRunner::load(const RunPoint& point, const std::string& key, Diagnostics& diagnostics,
                                           std::optional<double>& limit) {
  auto fresh = std::make_unique<Prepared>(study_.catalogue());
  fresh->key = key, fresh->settings = point.settings;
  if (!fresh->diagram.load(point.diagram, study_.options(point))) {
    diagnostics.take(fresh->diagram.diagnostics(), false);
    return nullptr;
  }
  fresh->system = fresh->diagram.take_system();
  limit = time_limit(*fresh->system, "", diagnostics);
  if (!diagnostics.ok()) return nullptr;
  prepared_ = std::move(fresh);
  return Runtime::create(*prepared_->system, running(study_.study()), diagnostics);
}

/// The prepared system with other values; null where it must be loaded anew, or is wrong, which loading will say.
std::unique_ptr<Runtime> PointRunner::reuse(const RunPoint& point, Diagnostics& diagnostics,
                                            std::optional<double>& limit) {
  if (point.settings.size() != prepared_->settings.size()) return nullptr;
  const System& known = *prepared_->system;
  std::vector<ParameterText> texts;
  for (const Attribute& setting : point.settings) {
    const auto same = std::find_if(prepared_->settings.begin(), prepared_->settings.end(),
                                   [&](const Attribute& other) { return other.name == setting.name; });
    if (same == prepared_->settings.end()) return nullptr;
    if (same->text == setting.text) continue;
    ParameterIndex place{};
    for (const ParameterIndex p : known.parameters.indices())
      if (known.parameters[p].path == setting.name) place = p;
    if (!place.valid() || place == ParameterTable::period) return nullptr; // a block's own, or what all is made for
    texts.push_back({place, setting});
  }
  System system = known;
  if (!texts.empty()) {
    Diagnostics unheard;
    const std::optional<ParameterChange> change = change_parameters(known, texts, unheard);
    if (!change || !change->settled.empty() || !unheard.all().empty()) return nullptr;
    for (const ParameterChange::InBlock& each : change->blocks)
      if (!follows(known, each.parameter)) return nullptr;
    apply(*change, texts, system);
  }
  limit = time_limit(system, "", diagnostics);
  return Runtime::create(std::move(system), running(study_.study()), diagnostics);
}

} // namespace hilda
