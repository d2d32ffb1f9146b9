// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/point_runner.h"

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace hilda::study {

/// Who asks for runs and takes what came of them: both are called on the thread that calls the functions below.
struct WorkGiver {
  std::function<std::optional<StudyTask>()> next;
  /// What has come since the last time, which may be nothing; about ten times a second at least. False: no more.
  std::function<bool(std::vector<PointRunner::Done>)> take;
};

/// Makes runs on as many threads, until there are no more or `stop` is set by anyone; runs under way are then left.
/// One of them is the calling thread's where `jobs` is 1 and nothing has to be watched meanwhile.
void work_in_threads(const LoadedStudy& study, int jobs, std::atomic<bool>& stop, const WorkGiver& giver);

/// The same in their own processes: one that crashes, or hangs longer than the study's timeout, is a row, and
/// another process continues.
void work_in_processes(const LoadedStudy& study, int jobs, std::atomic<bool>& stop, const WorkGiver& giver);

} // namespace hilda::study
