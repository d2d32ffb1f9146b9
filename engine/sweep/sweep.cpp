#include "engine/sweep/sweep.h"

#include "engine/sweep/figure_watch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <sched.h>

namespace hilda {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Takes rows, writes them, and says how it goes.
class Collector {
public:
  Collector(const LoadedStudy& study, Store& store, const SweepOptions& options, SweepResult& result)
      : study_(study), store_(store), options_(options), result_(result), watch_(study),
        values_(std::min(most_shown, study.study().figures.size())) {}

  bool take(std::vector<PointRunner::Done> all) {
    std::vector<StudyRow> rows;
    for (PointRunner::Done& done : all) {
      if (done.row.failed()) {
        ++result_.failed;
        if (!result_.first_failure) result_.first_failure = done.row;
      }
      note(done);
      rows.push_back(std::move(done.row));
    }
    result_.made += static_cast<std::int64_t>(rows.size());
    if (!store_.add(rows)) {
      result_.error = store_.error();
      return false;
    }
    report();
    if (options_.interrupt != nullptr && *options_.interrupt) return false;
    return watch_.faults().ok() && !(options_.fail_fast && result_.failed > 0);
  }

  /// At the end: what no run has had.
  void close() {
    watch_.close();
    result_.faults = watch_.faults().sorted();
    store_.set_units(watch_.units());
    if (!store_.ok() && result_.error.empty()) result_.error = store_.error();
    report(true);
  }

private:
  static constexpr std::size_t most_shown = 2;

  void note(const PointRunner::Done& done) {
    watch_.note(done);
    if (done.row.failed()) return;
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!std::isnan(done.row.figures[i])) values_[i].push_back(done.row.figures[i]);
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
  FigureWatch watch_;
  std::vector<std::vector<double>> values_;
  const Clock::time_point start_ = Clock::now();
  double reported_ = 0;
};

SweepResult work(const LoadedStudy& study, Store& store, const SweepOptions& options, SweepResult result,
                 const std::function<std::optional<StudyTask>()>& next) {
  const Clock::time_point start = Clock::now();
  std::atomic<bool> stop{false};
  const std::int64_t jobs = options.jobs > 0 ? options.jobs : processors();
  const auto needed = static_cast<int>(std::clamp<std::int64_t>(result.total - result.there, 1, jobs));
  Collector collector(study, store, options, result);
  const WorkGiver giver{next, [&](std::vector<PointRunner::Done> done) { return collector.take(std::move(done)); }};
  if (result.there < result.total) (options.isolate ? work_in_processes : work_in_threads)(study, needed, stop, giver);
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

SweepResult sweep(const LoadedStudy& study, Store& store, const SweepOptions& options) {
  const std::int64_t runs = study.design().runs(), first = options.part - 1, step = options.parts;
  std::vector<bool> there(static_cast<std::size_t>(runs), false);
  SweepResult result;
  result.total = first < runs ? (runs - first + step - 1) / step : 0;
  store.each_number(0, runs, [&](std::int64_t run) {
    there[static_cast<std::size_t>(run)] = true;
    if (run % step == first) ++result.there;
  });
  std::int64_t at = first;
  return work(study, store, options, result, [&]() -> std::optional<StudyTask> {
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
  for (const StudyTask& task : tasks)
    if (store.row(task.run))
      ++result.there;
    else
      left.push_back(&task);
  std::size_t at = 0;
  return work(study, store, options, result, [&]() -> std::optional<StudyTask> {
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
  std::error_code failed;
  if (!wanted.empty()) std::filesystem::create_directories(folder, failed);
  PointRunner runner(study, nullptr);
  for (const std::int64_t run : wanted) {
    const std::string path = (std::filesystem::path(folder) / fmt::format("{}.mcap", run)).string();
    PointRunner::Done done;
    if (!std::filesystem::exists(path, failed) && !runner.run_logged({run, run, {}}, origin, path, done, error))
      return false;
    ++kept;
  }
  return true;
}

} // namespace hilda
