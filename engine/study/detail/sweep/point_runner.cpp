// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/point_runner.h"

#include "engine/run/start.h"
#include "engine/session/loop_clock.h"
#include "engine/session/solver_findings.h"
#include "engine/session/summary_figures.h"
#include "engine/session/time_limit.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace hilda::study {
namespace {

/// What was reported first, in one line.
std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.all())
    if (each.severity == Diagnostic::Severity::error) return each.what;
  return "it cannot be loaded";
}

RuntimeOptions running(const Study& study) {
  RuntimeOptions options;
  options.solver.kind = solver_named(study.solver);
  return options;
}

} // namespace

PointRunner::PointRunner(const LoadedStudy& study, const std::atomic<bool>* interrupt)
    : study_(study), interrupt_(interrupt) {}

PointRunner::~PointRunner() = default;

PointRunner::Done PointRunner::run(const StudyTask& task) { return run(task, nullptr); }

bool PointRunner::run_logged(const StudyTask& task, const RunOrigin& origin, const std::string& log, OutputFiles& files,
                             Done& done, std::string& error) {
  Logged logged{origin, log, files, {}};
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
  run(point, numbers, logged, done);
  return done;
}

PointRunner::Done PointRunner::try_out(RunPoint point, std::int64_t most_ticks) {
  Done done;
  done.row.coordinates = point.coordinates;
  most_ticks_ = most_ticks;
  run(point, {}, nullptr, done);
  most_ticks_.reset();
  return done;
}

void PointRunner::run(RunPoint& point, const std::vector<NamedNumber>& numbers, Logged* logged, Done& done) {
  const auto refused = [&](const char* ending, const std::string& cause) {
    done.row.figures = study_.figures().without(numbers).numbers;
    done.row.ending = ending;
    done.row.cause = cause;
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
      origin.sources = &prepared_.front()->sources();
      RunLogOptions how;
      how.files = &logged->files;
      log = RunLog::create(*runtime, origin, logged->path, how, logged->error);
      if (log == nullptr) return;
    }
    bool late = false;
    SimulationResult result = simulate(*runtime, limit, log ? &log->recorder() : nullptr, late);
    stop_run(*runtime, result);
    if (log) log->close(result, logged->error);
    done.warnings = solver_findings(*runtime).all();
    describe_end(*runtime, result, late, done, numbers);
  } catch (const std::exception& thrown) { refused("failed", thrown.what()); }
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
  if (row.failed() && late) {
    row.figures = study_.figures().without(numbers).numbers;
    return;
  }
  const SummaryFigures said = gather_figures(runtime);
  StudyFigures::Calculated figures = study_.figures().of(runtime, result, said, numbers);
  row.figures = figures.numbers;
  if (!row.failed()) {
    const std::vector<StudyFigure>& all = study_.study().figures;
    for (const StudyFigures::Calculated::Problem& each : figures.problems)
      done.faults.push_back({each.figure, (each.figure < all.size() ? "the figure " + in_quotes(all[each.figure].name)
                                                                    : "the condition of <keep>") +
                                              each.what});
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
  if (most_ticks_)
    options.duration = std::min(*options.duration, static_cast<double>(*most_ticks_) * runtime.base().value());
  options.interrupt = &over_;
  options.watch = &watch_;
  const std::optional<double> most = study_.study().timeout;
  options.progress = [&](const Progress& progress) {
    late = late || (most && progress.wall_time > *most);
    if (late || (interrupt_ != nullptr && *interrupt_)) over_ = true;
  };
  SimulationResult result = session::simulate(runtime, recorder, options);
  late = late && result.reason == SimulationResult::Reason::interrupted;
  return result;
}

/// What has been loaded for a run like this one, or is now; the last used first.
std::unique_ptr<Runtime> PointRunner::prepare(RunPoint& point, Diagnostics& diagnostics, std::optional<double>& limit) {
  constexpr std::size_t most_prepared = 16;
  if (!multiply(point, diagnostics)) return nullptr;
  std::optional<System> system;
  for (auto known = prepared_.begin(); known != prepared_.end() && !system; ++known)
    if ((*known)->serves(point) && (system = (*known)->with(point))) {
      std::rotate(prepared_.begin(), known, known + 1);
      break;
    }
  if (!system) {
    std::unique_ptr<PreparedDiagram> fresh = PreparedDiagram::load(study_, point, diagnostics);
    if (fresh == nullptr) return nullptr;
    if (prepared_.size() == most_prepared) prepared_.pop_back();
    prepared_.insert(prepared_.begin(), std::move(fresh));
    system = prepared_.front()->with(point);
  }
  limit = time_limit(*system, "", diagnostics);
  if (!diagnostics.ok()) return nullptr;
  RuntimeOptions options = running(study_.study());
  options.plan = prepared_.front()->plan();
  std::unique_ptr<Runtime> runtime = Runtime::create(*std::move(system), options, diagnostics);
  if (runtime != nullptr) prepared_.front()->keep(runtime->shared_plan());
  return runtime;
}

bool PointRunner::multiply(RunPoint& point, Diagnostics& diagnostics) {
  if (point.factors.empty()) return true;
  std::string key = files_of(point);
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

} // namespace hilda::study
