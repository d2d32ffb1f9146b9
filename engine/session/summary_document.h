// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/run_log.h"
#include "engine/session/simulation.h"
#include "engine/session/summary_figures.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda::session {

/// The summary of a run as JSON.
///
/// First what the engine knows: name, diagram, mode, seed, version, git, ending, time, steps, wall_time,
/// real_time_factor, base_period, log. Then what the blocks say: a dotted key nests, a table is a list of objects. A
/// key that another block has taken is under "blocks", by the block's path; "velocity[0]", "velocity[1]" make a
/// list. Where the diagram has power ports, "ports", "elements" and "account" say where energy came from (J).
/// "warnings" lists what the blocks say against their own figures. Last "units" of the figures and all "parameters", in
/// SI. All figures of a diagram come from its blocks, by "hilda.summary/1": the engine defines none.
/// @param log  path of the log, or empty
nlohmann::ordered_json summary_document(const Runtime& runtime, const SimulationResult& result, const RunOrigin& origin,
                                        const SummaryFigures& figures, const std::string& log);

} // namespace hilda::session
