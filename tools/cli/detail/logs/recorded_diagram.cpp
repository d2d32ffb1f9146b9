// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/logs/recorded_diagram.h"

#include "engine/run/plan.h"
#include "engine/session/recorded_run.h"

#include <algorithm>

namespace hilda::cli {

RecordedDiagram recorded_diagram(Log& log, const std::vector<std::string>& plugins) {
  RecordedDiagram made;
  std::optional<RecordedRun> run = read_recorded_run(log, made.why);
  if (!run) return made;
  made.loaded = std::make_unique<CommandDiagram>(DiagramArguments{.file = run->diagram,
                                                                  .mode = run->mode,
                                                                  .rig = run->rig,
                                                                  .settings = run->settings,
                                                                  .overlays = run->overlays,
                                                                  .plugins = plugins,
                                                                  .solver = run->solver});
  made.loaded->recall(std::move(run->files));
  made.system = made.loaded->check(run->mode);
  if (!made.system)
    made.why =
        "The diagram in the log cannot be drawn with this program's blocks:\n" + made.loaded->diagnostics().text();
  return made;
}

std::vector<std::string> taken_by_sinks(const RecordedDiagram& diagram) {
  std::vector<std::string> names;
  if (!diagram.system) return names;
  const System& system = *diagram.system;
  for (const Wire& wire : system.wires) {
    if (!wire.to.block.valid() || !wire.from.block.valid()) continue;
    const BlockType& taker = *system.blocks[wire.to.block].type;
    const bool gives =
        std::any_of(taker.slots.begin(), taker.slots.end(), [](const Slot& slot) { return slot.role == HILDA_OUTPUT; });
    if (!gives) names.push_back(port_text(system, wire.from));
  }
  return names;
}

} // namespace hilda::cli
