// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/load.h"
#include "tools/modules.h"

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// A diagram as far as it can be understood, whatever is wrong with it: for who draws and edits it. It never runs.
struct CheckedDiagram {
  Sources sources;
  Diagnostics diagnostics;
  std::vector<std::string> remarks;
  std::optional<System> system; ///< every block has a type; of those that no one knows it is an empty one
  std::list<BlockType> unknown; ///< types that no plugin has
  bool sound = false;           ///< it could run
};

/// @param file  as named by the user; `options.recorded` has what is not on the disk
std::unique_ptr<CheckedDiagram> check_diagram(const std::string& file, const LoadOptions& options,
                                              const Catalogue& catalogue);

/// Errors of the second list that the first has not, but for those that one finishes by further edits.
std::vector<Diagnostic> new_errors(const std::vector<Diagnostic>& before, const std::vector<Diagnostic>& after);

} // namespace hilda::studio
