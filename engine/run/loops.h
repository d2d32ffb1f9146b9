// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/graph.h"

#include <vector>

namespace hilda::run {

/// Where feedthrough closes loops: of each knot a shortest loop, its edges in their order; empty where there
/// is none. The same system gives the same loops.
std::vector<std::vector<EdgeIndex>> feedthrough_loops(const DependencyGraph& graph);

} // namespace hilda::run
