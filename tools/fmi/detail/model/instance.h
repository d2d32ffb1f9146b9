// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/loop_watch.h"
#include "engine/compile/loaded_diagram.h"
#include "engine/run/start.h"
#include "tools/fmi/detail/model/variables.h"
#include "tools/modules.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hilda::fmi {

/// What lies in an FMU's resources: the diagram's files, and how they are loaded.
struct Package {
  std::string diagram, rig, mode, token;
  std::vector<std::string> settings, overlays;
  RecordedFiles files;

  LoadOptions options() const;
};

/// What a function could not do, in words.
struct Refused {
  std::string text;
};
/// "error[code]: what", and what to do.
Refused refusal(const char* code, const std::string& what, const std::string& help);

/// The state of an FMU: a checkpoint, what is set, and the numbers of its inputs.
struct State {
  std::map<std::uint32_t, std::string> settings; ///< by reference
  std::vector<std::uint64_t> numbers;
  Checkpoint checkpoint;
  std::string token; ///< of the FMU that it belongs to
  double start = 0;  ///< s, the importer's time of tick 0
  std::uint8_t phase = 0;

  /// With a checksum.
  std::string packed() const;
  /// Throws Refused.
  static State unpacked(std::string_view bytes);
};

/// One instance of an FMU, whatever its version. Functions throw Refused. One thread at a time.
///
/// A tick is computed when the importer reads an output or takes a step. Where an input is written after that, the
/// instance goes back before the tick, so that outputs follow inputs at the same time.
class Instance {
public:
  enum class Phase : std::uint8_t { instantiated, initialising, running, ended };

  /// Throws Refused with the diagram's diagnostics.
  Instance(const Catalogue& catalogue, std::shared_ptr<const Package> package);
  /// What the diagram warns of; may be empty.
  std::string warnings() const;
  /// What plugins have changed of the process in ticks since the last call, as warnings. It is as before again.
  std::string process_changes();

  /// The importer's time of tick 0.
  void set_start(double start);
  void begin_initialisation();
  void end_initialisation();
  void terminate();
  void reset();

  /// Numbers of this kind, element by element from a reference on; as the standard's functions take them.
  void read(std::uint32_t reference, std::span<double> numbers);
  void write(std::uint32_t reference, std::span<const double> numbers);
  const std::string& read_text(std::uint32_t reference);
  void write_text(std::uint32_t reference, const std::string& text);
  /// The variable that a reference belongs to.
  const Variable& variable(std::uint32_t reference) const;

  /// False where a block has ended the run.
  bool step(double time, double size);
  double time() const { return start_ + runtime_->time(); }
  /// How a run that has ended came to it.
  std::string ending() const;
  /// The same as an error.
  Refused failed_run() const;
  State state();
  void put(const State& state);

private:
  void load();
  void compute_outputs();
  enum class Return { possible, never };
  static constexpr std::int64_t longest_replay = 1000; ///< ticks
  static constexpr std::int64_t ticks_between_looks = 64;
  void compute(Return back);
  void keep();
  void uncompute();
  static const char* name_of(Phase phase);
  void need(Phase least, Phase most, const char* what) const;
  static Refused read_only(const Variable& variable);
  void change(const Variable& variable, std::uint32_t reference, std::span<const double> numbers);
  std::vector<double> numbers_of(const Variable& variable) const;

  const Catalogue& catalogue_;
  const std::shared_ptr<const Package> package_;
  LoopWatch watch_;
  std::unique_ptr<LoadedDiagram> diagram_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<Tuning> tuning_;
  std::vector<Variable> variables_;
  std::map<std::uint32_t, std::string> settings_;       ///< of fixed parameters, and of tunable ones before the start
  std::map<std::uint32_t, std::vector<double>> chosen_; ///< numbers that the next load takes
  std::optional<Checkpoint> kept_; ///< the tick that is computed, or one before since which nothing was written
  std::int64_t returned_ = -longest_replay; ///< the tick at which the instance went back last
  Phase phase_ = Phase::instantiated;
  double start_ = 0; ///< s
  bool stale_ = false, computed_ = false, alive_ = true, returns_ = true;
};

} // namespace hilda::fmi
