// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/loaded_diagram.h"
#include "engine/session/live_simulation.h"
#include "engine/session/run_log.h"
#include "tools/embed/handles.h"
#include "tools/modules.h"

#include <atomic>
#include <cstdint>
#include <hilda/embed.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hilda::embed {

/// A simulation as the C API has it. The fault is thrown as Failure.
class Simulation {
public:
  explicit Simulation(const hilda_sim_options& options);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// One call at a time: false where another one runs.
  bool enter() noexcept { return !busy_.exchange(true, std::memory_order_acquire); }
  void leave() noexcept { busy_.store(false, std::memory_order_release); }

  void start();
  hilda_sim_status step(std::int64_t ticks);
  hilda_sim_status run(double seconds);
  void interrupt() noexcept { interrupt_.store(true, std::memory_order_relaxed); }
  void reset();
  void reload();
  /// Ends the log and stops the blocks. Nothing else may be called then.
  void end();

  hilda_sim_input find_input(const std::string& path, hilda_sim_shape* shape);
  hilda_sim_output find_output(const std::string& path, hilda_sim_shape* shape);
  void write(hilda_sim_input input, std::span<const double> numbers);
  void write(std::span<const hilda_sim_numbers> all);
  void read(hilda_sim_output output, std::span<double> numbers) const;

  void set(const std::vector<LiveSetting>& settings);
  // Texts are valid until the next of these.
  const char* get(const std::string& path);
  const char* ending();
  const char* summary();

  std::vector<unsigned char> checkpoint() const;
  void restore(std::span<const unsigned char> bytes);
  void begin_log(const std::string& file);
  void end_log();

  const Runtime& runtime() const { return live_->runtime(); }

private:
  std::unique_ptr<LoadedDiagram> load(const std::vector<LiveSetting>& settings);
  BuiltDiagram build(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics);
  void adopt();
  /// Calls the program's callback.
  void tell(const Diagnostic& said, int severity) const;
  void tell_warnings(const Diagnostics& said) const;
  void tell_remarks(const std::vector<std::string>& remarks) const;

  RunOrigin origin() const;
  void close_log(const SimulationResult& result);
  void must_have_log();
  void must_go_on() const;
  std::string how_it_ended() const;

  std::atomic<bool> busy_{false}, interrupt_{false};
  DiagramText diagram_; ///< or the file of this name
  bool is_text_ = false;
  LoadOptions options_;
  std::vector<std::string> plugins_, given_, built_with_; ///< settings: as they were given; of what was built last
  void (*message_)(void*, const hilda_sim_message*) = nullptr;
  void* context_ = nullptr;
  /// Of the runtime before, which stops after the next one is adopted; of the present one; of the next.
  std::unique_ptr<LoadedDiagram> before_, loaded_, built_;
  std::unique_ptr<RunLog> log_;
  std::string log_file_, log_error_;
  std::unique_ptr<LiveSimulation> live_;
  bool started_ = false;
  Handles handles_;
  std::string text_; ///< what was given out last
};

} // namespace hilda::embed

struct hilda_sim final : hilda::embed::Simulation {
  using Simulation::Simulation;
};
