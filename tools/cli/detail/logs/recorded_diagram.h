// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/loading/diagram.h"
#include "tools/graphics/page_figures.h"
#include "tools/modules.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// The diagram that a log was made with, read from the log and checked with this program's blocks.
struct RecordedDiagram {
  std::unique_ptr<CommandDiagram> loaded; ///< outlives the system
  std::optional<System> system;
  std::string why; ///< there is no system
};
RecordedDiagram recorded_diagram(Log& log, const std::vector<std::string>& plugins);

/// Names of the outputs that blocks without outputs take: the subject of a diagram. None without a system.
std::vector<std::string> taken_by_sinks(const RecordedDiagram& diagram);

} // namespace hilda::cli
