#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/diagnostics/diagnostic.h"
#include "engine/xml/edit/diagram_editor.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// What an edit made of a diagram, as `hilda check` sees it.
struct Findings {
  std::vector<Diagnostic> wrong; ///< errors that were not there before
  std::vector<Diagnostic> open;  ///< what is not finished: inputs that nothing drives, parameters without a value
};

/// Checks the text before and after in every mode that its own blocks and subsystems name; what both have is left out.
Findings new_findings(const DiagramEditor& edited, const std::string& before, const Catalogue& catalogue,
                      const std::vector<std::string>& library_path);

} // namespace hilda::cli
