// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/plan/order.h"

#include <optional>
#include <vector>

namespace hilda::run {

/// In what order a system runs and how its blocks lie in memory.
struct Plan {
  DependencyGraph first_graph, graph;
  std::vector<NodeIndex> first_order; ///< at tick 0, where priming inputs are read
  std::vector<NodeIndex> order;       ///< at every later tick
  std::vector<BlockIndex> memory;     ///< as they lie in memory: in the order they run
  Indexed<BlockIndex, bool> fused;    ///< output and update in one call
};

/// None where feedthrough closes a loop (reported).
std::optional<Plan> make_plan(const System& system, Diagnostics& diagnostics);

/// The plan as people read it: every node with rate, guards and the reason for each edge.
std::string plan_text(const System& system, const Plan& plan);

/// "rig.sensor.wrench.force", "sum.u[1]"
std::string port_text(const System& system, const PortRef& port);

} // namespace hilda::run
