// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/machine.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/modules.h"

#include <vector>

namespace hilda::cli {

/// Connects the rig of `arguments` as a run would, moves nothing, and lets each robot whose block has a parameter
/// `probe_delay` be without one answer while it is at rest, to see what its Delay counts.
std::vector<MachineFinding> probe_delay(DiagramArguments arguments, const System& system);

} // namespace hilda::cli
