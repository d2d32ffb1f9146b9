// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/detail/sweep/run_warnings.h"
#include "engine/study/detail/sweep/workers.h"
#include "engine/study/store.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

struct SweepProgress {
  std::int64_t done = 0, total = 0, failed = 0; ///< of this process's part, earlier rows among them
  double time = 0;                              ///< s, since it began
  double rate = 0;                              ///< runs a second
  /// Of the study's first figures, over the rows of this process.
  struct Figure {
    std::string name, unit;
    double median = 0, least = 0, greatest = 0;
  };
  std::vector<Figure> figures;
};

struct SweepOptions {
  int jobs = 0;                     ///< 0: as many as processors
  std::int64_t part = 1, parts = 1; ///< runs number `part` - 1, then each `parts`-th
  bool isolate = false, fail_fast = false;
  const std::atomic<bool>* interrupt = nullptr; ///< set by anyone
  std::function<void(const SweepProgress&)> progress;
};

struct SweepResult {
  std::int64_t made = 0;             ///< now
  std::int64_t failed = 0;           ///< of this part, earlier rows among them; of a search now
  std::int64_t there = 0, total = 0; ///< rows of this part in the store, and how many there should be
  double time = 0;                   ///< s
  std::string error;                 ///< of the store
  std::vector<Diagnostic> faults;    ///< of the study: a figure that no run has
  RunWarnings warnings;              ///< of the runs that were made now
  std::optional<StudyRow> first_failure;

  void note_failure(const StudyRow& row);
};

/// Makes the runs that the store does not have, first one of each diagram: their figures are known before any row is
/// written, and are reported once. From then on each row is stored as soon as its run ends: an interruption loses only
/// the runs under way. Codes: study-unknown-figure, study-figure-unit.
SweepResult sweep(const LoadedStudy& study, Store& store, const SweepOptions& options);

/// The same for other tasks than those of the design; rows that are there are not made again. `made`: each row, those
/// that were there among them.
SweepResult sweep_tasks(const LoadedStudy& study, Store& store, const SweepOptions& options,
                        const std::vector<StudyTask>& tasks);

/// Runs once more those whose logs the study keeps, into `folder`/RUN.mcap. False, and `error`, where one cannot be
/// written. `kept`: how many there are now.
bool keep_logs(const LoadedStudy& study, Store& store, const RunOrigin& origin, const std::string& folder,
               std::int64_t& kept, std::string& error);

int processors();

} // namespace hilda::study
