// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/guests.h"

#include "engine/base/process_report.h"

#include <fmt/format.h>

namespace hilda::plugin {

Guests::Guests(const System& system, bool moves, bool named)
    : system_(system), moves_(moves), watch_(moves || named ? ProcessWatch::Looks::each : ProcessWatch::Looks::some) {}

bool Guests::behave(Diagnostics& diagnostics) const {
  const std::size_t errors_before = diagnostics.errors();
  const auto place = [this](const std::string& path) {
    for (const SystemBlock& block : system_.blocks)
      if (block.path == path) return block.where;
    return Location{};
  };
  report_process(ProcessWatch::changes(), place, moves_, diagnostics);
  return diagnostics.errors() == errors_before;
}

bool Guests::have_behaved(Diagnostics& diagnostics) const {
  if (!moves_) return true;
  const std::size_t errors_before = diagnostics.errors();
  for (const SystemBlock& block : system_.blocks)
    if (const std::string before = process_changes_of(block.type->plugin); !before.empty())
      diagnostics.error("block-process", block.where,
                        fmt::format("{} ({}): its plugin {} has changed something before: {}", block.path,
                                    block.type->name, block.type->plugin, before),
                        "nothing moves here unless a stop is sure to reach the run: take a build of the plugin that "
                        "leaves these alone");
  return diagnostics.errors() == errors_before;
}

} // namespace hilda::plugin
