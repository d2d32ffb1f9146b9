// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/sweep.h"

#include "engine/study/figure_watch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <sched.h>
#include <set>
#include <utility>

namespace hilda::study {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The runs by which it is known whether the figures of a study are those that its runs have: one of each diagram.
std::set<std::int64_t> first_runs(const LoadedStudy& study) {
  std::set<std::int64_t> first;
  if (study.design().runs() > 0) first.insert(0);
  const std::vector<StudyAxis>& axes = study.study().axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    for (std::size_t value = 0; axes[axis].kind == StudyAxis::Kind::diagram && value < axes[axis].values.size();
         ++value)
      if (const std::int64_t run = study.design().first_with(axis, static_cast<std::int64_t>(value)); run >= 0)
        first.insert(run);
  return first;
}

/// Takes rows, writes them, and says how it goes. Until one run of each diagram has been seen none is written: a wrong
/// study leaves no rows.
class Collector {
public:
  /// @param missing  whether a row is to be written; others are computed only to learn their figures
  Collector(const LoadedStudy& study, Store& store, const SweepOptions& options, SweepResult& result,
            const std::function<bool(std::int64_t)>& missing)
      : study_(study), store_(store), options_(options), result_(result), missing_(missing), watch_(study),
        values_(std::min(most_shown, study.study().figures.size())) {
    if (store.proven())
      watch_.settle();
    else if (!store.tried())
      awaited_ = first_runs(study);
  }

  /// Runs that are made before all others.
  const std::set<std::int64_t>& awaited() const { return awaited_; }

  bool take(std::vector<PointRunner::Done> all) {
    for (PointRunner::Done& done : all) {
      watch_.note(done);
      if (awaited_.erase(done.row.run) > 0) {
        sound_ = sound_ && !done.row.failed();
        if (awaited_.empty()) prove();
      }
      // A run with a fault is not a row: who continues with the store hears of it again.
      if (!done.faults.empty() || !missing_(done.row.run)) continue;
      result_.warnings.note(done);
      held_.push_back(std::move(done.row));
    }
    if (awaited_.empty() && watch_.faults().ok() && !write()) return false;
    report();
    if (options_.interrupt != nullptr && *options_.interrupt) return false;
    return (watch_.faults().ok() || !awaited_.empty()) && !(options_.fail_fast && result_.failed > 0);
  }

  /// At the end: what no run has had, where all have been made.
  void close() {
    if (watch_.faults().ok()) write();
    if (result_.there + result_.made == result_.total && options_.parts == 1) {
      for (std::size_t i = 0; i < study_.study().figures.size(); ++i)
        if (store_.has_figure(i)) watch_.know(i);
      watch_.close();
    }
    result_.faults = watch_.faults().sorted();
    store_.set_units(watch_.units());
    if (!store_.ok() && result_.error.empty()) result_.error = store_.error();
    report(true);
  }

private:
  static constexpr std::size_t most_shown = 2;

  /// Each diagram has had a run. Where one has failed, what is missing is known at the end.
  void prove() {
    store_.note_trial();
    if (sound_) watch_.close();
    if (sound_ && watch_.faults().ok()) store_.prove();
  }

  bool write() {
    for (const StudyRow& row : held_) note(row);
    result_.made += static_cast<std::int64_t>(held_.size());
    if (!store_.add(std::exchange(held_, {}))) result_.error = store_.error();
    return store_.ok();
  }

  void note(const StudyRow& row) {
    if (row.failed()) return result_.note_failure(row);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!std::isnan(row.figures[i])) values_[i].push_back(row.figures[i]);
  }

  void report(bool last = false) {
    constexpr double every = 0.2; // s
    if (!options_.progress) return;
    const double now = seconds_since(start_);
    if (!last && now - reported_ < every) return;
    reported_ = now;
    SweepProgress progress;
    progress.done = result_.there + result_.made, progress.total = result_.total, progress.failed = result_.failed;
    progress.time = now, progress.rate = now > 0 ? static_cast<double>(result_.made) / now : 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::vector<double>& values = values_[i];
      if (values.empty()) continue;
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
      progress.figures.push_back({study_.study().figures[i].name, watch_.units()[i], *middle, *least, *greatest});
    }
    options_.progress(progress);
  }

  const LoadedStudy& study_;
  Store& store_;
  const SweepOptions& options_;
  SweepResult& result_;
  const std::function<bool(std::int64_t)>& missing_;
  FigureWatch watch_;
  std::set<std::int64_t> awaited_; ///< by number
  bool sound_ = true;              ///< none of those that were awaited has failed
  std::vector<StudyRow> held_;
  std::vector<std::vector<double>> values_;
  const Clock::time_point start_ = Clock::now();
  double reported_ = 0;
};

/// @param next  the rows that are not there, in order
SweepResult work(const LoadedStudy& study, Store& store, const SweepOptions& options, SweepResult result,
                 const std::function<bool(std::int64_t)>& wanted,
                 const std::function<std::optional<StudyTask>()>& next) {
  const Clock::time_point start = Clock::now();
  std::atomic<bool> stop{false};
  Collector collector(study, store, options, result, wanted);
  const std::set<std::int64_t> first = collector.awaited();
  auto at = first.begin();
  const auto task = [&]() -> std::optional<StudyTask> {
    if (at != first.end()) {
      const std::int64_t run = *at++;
      return StudyTask{run, run, {}};
    }
    std::optional<StudyTask> other = next();
    while (other && first.contains(other->run)) other = next();
    return other;
  };
  const std::int64_t jobs = options.jobs > 0 ? options.jobs : processors();
  const std::int64_t left = std::max<std::int64_t>(result.total - result.there, std::ssize(first));
  const auto needed = static_cast<int>(std::clamp<std::int64_t>(left, 1, jobs));
  const WorkGiver giver{task, [&](std::vector<PointRunner::Done> done) { return collector.take(std::move(done)); }};
  const bool ended = options.fail_fast && result.failed > 0;
  if (left > 0 && !ended) (options.isolate ? work_in_processes : work_in_threads)(study, needed, stop, giver);
  collector.close();
  result.there += result.made;
  result.time = seconds_since(start);
  return result;
}

} // namespace

int processors() {
  cpu_set_t mine;
  return ::sched_getaffinity(0, sizeof mine, &mine) == 0 ? std::max(CPU_COUNT(&mine), 1) : 1;
}

void SweepResult::note_failure(const StudyRow& row) {
  ++failed;
  if (!first_failure || row.run < first_failure->run) first_failure = row;
}

SweepResult sweep(const LoadedStudy& study, Store& store, const SweepOptions& options) {
  const std::int64_t runs = study.design().runs(), first = options.part - 1, step = options.parts;
  std::vector<bool> there(static_cast<std::size_t>(runs), false);
  SweepResult result;
  result.total = first < runs ? (runs - first + step - 1) / step : 0;
  store.each(
      [&](const StudyRow& row) {
        there[static_cast<std::size_t>(row.run)] = true;
        if (row.run % step != first) return true;
        ++result.there;
        if (row.failed()) result.note_failure(row);
        return true;
      },
      0, runs);
  std::int64_t at = first;
  return work(
      study, store, options, result,
      [&](std::int64_t run) { return run % step == first && !there[static_cast<std::size_t>(run)]; },
      [&]() -> std::optional<StudyTask> {
        while (at < runs && there[static_cast<std::size_t>(at)]) at += step;
        if (at >= runs) return std::nullopt;
        const StudyTask task{at, at, {}};
        at += step;
        return task;
      });
}

SweepResult sweep_tasks(const LoadedStudy& study, Store& store, const SweepOptions& options,
                        const std::vector<StudyTask>& tasks) {
  SweepResult result;
  result.total = static_cast<std::int64_t>(tasks.size());
  std::vector<const StudyTask*> left;
  std::set<std::int64_t> wanted;
  for (const StudyTask& task : tasks)
    if (store.row(task.run))
      ++result.there;
    else
      left.push_back(&task), wanted.insert(task.run);
  std::size_t at = 0;
  return work(
      study, store, options, result, [&](std::int64_t run) { return wanted.contains(run); },
      [&]() -> std::optional<StudyTask> {
        if (at >= left.size()) return std::nullopt;
        return *left[at++];
      });
}

bool keep_logs(const LoadedStudy& study, Store& store, const RunOrigin& origin, const std::string& folder,
               std::int64_t& kept, std::string& error) {
  const StudyKeep& keep = study.study().keep;
  if (keep.logs == StudyKeep::Logs::none) return true;
  std::vector<std::int64_t> wanted;
  store.each(
      [&](const StudyRow& row) {
        bool yes = keep.logs == StudyKeep::Logs::all || (keep.logs == StudyKeep::Logs::failed && row.failed());
        if (keep.logs == StudyKeep::Logs::when) {
          std::vector<NamedNumber> numbers = study.design().numbers(study.design().point(row.run));
          for (std::size_t i = 0; i < row.figures.size(); ++i)
            numbers.push_back({store.head().figures[i].name, row.figures[i], store.head().figures[i].unit});
          std::string problem;
          yes = StudyFigures::holds(keep.condition.text, numbers, problem);
        }
        if (yes && row.ending != "refused") wanted.push_back(row.run);
        return static_cast<std::int64_t>(wanted.size()) < keep.most;
      },
      0, study.design().runs());
  if (!store.ok()) {
    error = store.error();
    return false;
  }
  std::error_code failed;
  if (!wanted.empty()) std::filesystem::create_directories(folder, failed);
  PointRunner runner(study, nullptr);
  for (const std::int64_t run : wanted) {
    const std::string path = (std::filesystem::path(folder) / fmt::format("{}.mcap", run)).string();
    PointRunner::Done done;
    OutputFiles files;
    if (!std::filesystem::exists(path, failed) && !runner.run_logged({run, run, {}}, origin, path, files, done, error))
      return false;
    ++kept;
  }
  return true;
}

} // namespace hilda::study
