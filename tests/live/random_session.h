// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/live_simulation.h"
#include "engine/session/run_log.h"
#include "tests/live/live_diagram.h"
#include "tests/modules.h"

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace hilda::test {

/// A simulation that a machine works with: it sets, steps, goes back, asks, reloads, and says nonsense.
class RandomSession {
public:
  RandomSession(std::string file, std::filesystem::path folder, unsigned seed);

  void act();
  /// Ends it; its logs are whole then.
  void end();

  const std::vector<std::string>& logs() const { return logs_; }
  /// Of what it did, for messages.
  const std::string& script() const { return script_; }
  /// Does a run of the overlay that it saves reach the same state? Empty: yes, or nothing can do it again.
  std::string other_by_overlay();
  std::size_t taken = 0, refused = 0, back = 0; ///< requests, and ways back

private:
  BuiltDiagram build(const std::vector<LiveSetting>& settings, const std::vector<std::string>& overlays,
                     Diagnostics& diagnostics);
  Recorder* begin_log(const Runtime& runtime, const std::vector<TakenChange>& live);
  void close_log(const SimulationResult& result);
  std::size_t below(std::size_t limit) { return random_() % limit; }
  void set();
  void write();
  LiveSetting random_setting();
  std::string random_value(const Value& now, const std::string& unit);

  const std::string file_;
  const std::filesystem::path folder_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<LoadedDiagram>> loaded_; ///< outlives the runtimes
  std::vector<std::string> settings_, built_with_;
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<LiveSimulation> simulation_;
  std::vector<std::string> logs_;
  std::string script_;
};

/// Replays a log of such a session. Empty: every bit is as recorded.
std::string replayed_otherwise(const std::string& log_file);

} // namespace hilda::test
