// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/linearize.h"
#include "tests/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::test {

/// A diagram linearised, or what was wrong.
struct LinearTrial {
  std::optional<Linearization> result;
  std::string errors;
};

/// @param diagram  "pida": diagrams/pida.xml; or a whole diagram, beginning with '<'
LinearTrial linearize_diagram(const std::string& diagram, const std::vector<std::string>& settings,
                              const LinearizeOptions& options);

} // namespace hilda::test
