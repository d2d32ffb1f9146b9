// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/live_simulation.h"
#include "tools/cli/detail/run/run.h"
#include "tools/modules.h"
#include "tools/studio/editing.h"
#include "tools/studio/paced_desk.h"
#include "tools/studio/simulation_desk.h"

#include <functional>
#include <memory>
#include <string>

namespace hilda::cli {

/// What desks need of a run. All of it must outlive them.
struct RunDesk {
  const RunArguments& run;
  OutputFiles& files; ///< that clients have written
  std::function<const CommandDiagram&()> loaded;
  std::function<std::string()> log;   ///< path of the log at the time; empty: there is none
  studio::Editing* editing = nullptr; ///< null: nothing is edited
  /// Texts of the parameters when the diagram was loaded.
  std::function<std::vector<std::string>()> texts = {};
  std::function<std::string()> log_lost = {}; ///< why the log ended before the run, or an empty text
};

/// A diagram's text is checked and read, an experiment is saved next to the log.
studio::DeskHooks desk_hooks(const RunDesk& desk);

/// Clients work with a simulation, until it is over or someone interrupts it.
void serve_simulation(LiveSimulation& simulation, Serving& serving, const RunDesk& desk,
                      const std::atomic<bool>& interrupt);

/// Clients look at a paced run. `touches`: the world outside; `runs`: it comes to its first tick.
std::unique_ptr<PacedAttendant> serve_paced(Runtime& runtime, Serving& serving, const RunDesk& desk, bool touches,
                                            bool runs);

} // namespace hilda::cli
