// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/run_log.h"
#include "engine/study/detail/store/row.h"
#include "engine/study/detail/sweep/prepared_diagram.h"
#include "engine/study/loaded_study.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// Makes the runs of a study one after the other. One thread.
class PointRunner {
public:
  /// @param interrupt  set by anyone: a run ends after the tick it is in, and is not a row
  PointRunner(const LoadedStudy& study, const std::atomic<bool>* interrupt);
  ~PointRunner();

  /// The fault of a figure, which is the study's fault and not the run's.
  struct Fault {
    std::size_t figure = 0; ///< behind the last: the condition of `<keep>`
    std::string what;
  };
  struct Done {
    StudyRow row;
    bool interrupted = false;
    std::vector<bool> found;          ///< by figure: the run has something of its name
    std::vector<std::string> units;   ///< by figure
    std::vector<std::string> offered; ///< what could have been named; only where something was not found
    std::vector<Fault> faults;
    std::vector<Diagnostic> warnings; ///< about how it was solved
  };
  Done run(const StudyTask& task);
  /// One of no design, so without coordinates: with these settings, and so many ticks at most.
  Done try_out(RunPoint point, std::int64_t most_ticks);

  /// The same with a log of it, one of the command's `files`; false, and `error`, where the log cannot be written.
  bool run_logged(const StudyTask& task, const RunOrigin& origin, const std::string& log, OutputFiles& files,
                  Done& done, std::string& error);

private:
  struct Logged {
    const RunOrigin& origin;
    const std::string& path;
    OutputFiles& files;
    std::string error;
  };
  Done run(const StudyTask& task, Logged* log);
  void run(RunPoint& point, const std::vector<NamedNumber>& numbers, Logged* log, Done& done);
  std::unique_ptr<Runtime> prepare(RunPoint& point, Diagnostics& diagnostics, std::optional<double>& limit);
  bool multiply(RunPoint& point, Diagnostics& diagnostics);
  SimulationResult simulate(Runtime& runtime, std::optional<double> limit, Recorder* recorder, bool& late);
  void describe_end(const Runtime& runtime, const SimulationResult& result, bool late, Done& done,
                    const std::vector<NamedNumber>& numbers) const;

  const LoadedStudy& study_;
  const std::atomic<bool>* interrupt_;
  std::optional<std::int64_t> most_ticks_;
  std::atomic<bool> over_{false};                            ///< this run: interrupted or late
  LoopWatch watch_;                                          ///< what it finds is as before for the next run
  std::vector<std::unique_ptr<PreparedDiagram>> prepared_;   ///< the last used first
  std::map<std::string, std::vector<Attribute>> multiplied_; ///< what factors make, by diagram and factor
};

} // namespace hilda::study
