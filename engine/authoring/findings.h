// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/diagram_editor.h"
#include "engine/base/diagnostic.h"
#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::authoring {

/// What an edit made of a diagram, as `hilda check` sees it.
struct EditFindings {
  std::vector<Diagnostic> wrong; ///< errors that were not there before
  std::vector<Diagnostic> open;  ///< what is not finished: inputs that nothing drives, parameters without a value
};

/// What one finishes by further edits: an input that nothing drives yet, a warning.
bool is_unfinished(const Diagnostic& found);
/// Do two texts of a diagram both have it? Lines move, so only the report is compared.
bool same_finding(const Diagnostic& a, const Diagnostic& b);

/// Checks the text before and after in every mode that its own blocks and subsystems name; what both have is left out.
EditFindings new_findings(const DiagramEditor& edited, const std::string& before, const Catalogue& catalogue,
                          const std::vector<std::string>& library_path);

} // namespace hilda::authoring
