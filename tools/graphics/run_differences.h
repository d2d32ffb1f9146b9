// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/figure.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::plot {

/// A note on each panel in which curves of a later run lie on those of the first, so that one hides the other: by how
/// much they differ at most.
void note_hidden_runs(std::vector<Panel>& panels, const std::vector<std::string>& runs);

/// Below each panel one of the differences: each later run less the first, at the samples of the later one.
std::vector<Panel> with_differences(std::vector<Panel> panels, const std::vector<std::string>& runs);

} // namespace hilda::graphics::plot
