// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/loop_profile.h"
#include "engine/session/paced_attendant.h"
#include "engine/session/run_log.h"
#include "tools/cli/detail/program/arguments.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/modules.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// What `hilda run` takes for runs that are paced.
struct PacedArguments {
  bool arm = false, dry_run = false, realtime = false, require_realtime = false, witness = false, time_blocks = false;
  bool detach = false;
  std::vector<std::string> allowed_unsafe; ///< paths of blocks that may run on hardware though they say they should not
};

/// --arm --dry-run --realtime --require-realtime --witness --time-blocks --detach --allow-unsafe-block
void add_paced_arguments(Command command, PacedArguments& arguments);

/// The part of a run that is paced by a timer or a device: on hardware, of a cell, or of a simulation with --realtime.
class PacedRun {
public:
  /// Whether a system is paced: one of its blocks touches the world, or --realtime asks for it.
  static bool wanted(const System& system, const PacedArguments& arguments);
  /// Which of the arguments does not go with the system, and why; empty: none.
  static std::string misuse(const System& system, const PacedArguments& arguments);

  PacedRun(const System& system, const PacedArguments& arguments);

  /// `profile`: hears how long blocks work; or null.
  void choose(RuntimeOptions& options, LoopProfile* profile);
  /// Before anything starts: the clock, and the rights of a thread in real time. Missing ones are reported on stderr.
  Exit prepare(Runtime& runtime, Diagnostics& diagnostics);
  /// `options` of the log with what belongs to a paced run.
  void choose(RunLogOptions& options, const Runtime& runtime) const;
  /// `attendant`: of a console next to it, or of clients; null: there is none. `shown`: it shows how the run goes.
  SimulationResult run(Runtime& runtime, Recorder* recorder, Interrupt& interrupt, std::optional<double> limit,
                       bool quiet, PacedAttendant* attendant, bool shown);
  /// Does a block touch the world outside?
  bool touches() const { return touches_; }
  /// Does the diagram come to its first tick?
  bool runs() const { return !moves_ || armed(); }

  /// False: the devices were held where they were.
  bool moved() const { return result_.moved; }
  bool log_complete() const { return result_.figures.log_unrecorded == 0; }
  void report(const Runtime& runtime) const;
  nlohmann::ordered_json document(const Runtime& runtime) const;

private:
  void tell_quality(const ChannelLook& look, const System& system, bool quiet) const;
  bool armed() const { return arguments_.arm || arguments_.dry_run; }

  const PacedArguments arguments_;
  const bool touches_, moves_;
  Executor executor_;
  PacedResult result_;
};

} // namespace hilda::cli
