// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/recorded_files.h"
#include "engine/diagram/solver_settings.h"
#include "engine/log/log.h"
#include "engine/modules.h"
#include "engine/run/checkpoint.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hilda::session {

/// What a log says about its run next to the signals: enough to run it again.
struct RecordedRun {
  std::string diagram, mode, rig, version; ///< files as they were named
  std::string mathematics;                 ///< empty in logs of 0.1.0
  SolverChoice solver;                     ///< what the diagram or the user asked for
  std::vector<std::string> overlays, settings;
  std::map<std::string, std::string> plugins; ///< name to hash
  RecordedFiles files;

  bool hardware = false;     ///< something real was moved: gates began at rest, endings were ramps
  bool device_clock = false; ///< a lost cycle was a device's
  bool began = true;         ///< false: held until its end, it came to no tick
  std::map<std::string, std::vector<double>> rest; ///< of each gate, by its input's path

  /// What came to the loop from outside between two ticks.
  struct Intervention {
    std::int64_t tick = 0; ///< before this one
    enum class Kind { stop, gone, set, numbers } kind = Kind::stop;
    std::string text;
    std::vector<WrittenNumbers> inputs = {}; ///< of numbers; of an earlier log the text has them
  };
  std::vector<Intervention> interventions;

  // Of a log that begins within a run:
  std::vector<std::string> live;   ///< what was set before, as settings_text has it
  std::optional<Checkpoint> begin; ///< where it begins
};

/// None, and `error`, where the log holds no run of a diagram.
std::optional<RecordedRun> read_recorded_run(Log& log, std::string& error);

} // namespace hilda::session
