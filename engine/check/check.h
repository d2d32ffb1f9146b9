#pragma once

#include "engine/check/load.h"

namespace hilda {

/// From a file to a system that can be planned: loaded and flattened for one mode, everything inferred, blocks asked.
/// None after errors; all that were found are in `diagnostics`. Feedthrough loops are found by make_plan.
std::optional<System> check(const std::string& path, const LoadOptions& options, const Catalogue& catalogue,
                            Sources& sources, Diagnostics& diagnostics, std::vector<std::string>& remarks);

/// The same for a diagram in memory.
std::optional<System> check_text(const std::string& name, std::string text, const LoadOptions& options,
                                 const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics,
                                 std::vector<std::string>& remarks);

} // namespace hilda
