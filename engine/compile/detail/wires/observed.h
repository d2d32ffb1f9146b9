// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/compile/detail/wires/wire_ends.h"
#include "engine/modules.h"

#include <functional>

namespace hilda::compile {

/// The signal of a `when`, found as conditions are; block -1 after a report.
using FindCondition = std::function<PortRef(const Instance& at, const Attribute& when)>;

/// Reads `<log>` and `<figure>` of all diagrams into System::logs and System::figures. What they name is looked up
/// once all ports are known (find_observed). Names of elements that only another mode has are left out.
/// Codes: log-signal, bad-time, and those of values and conditions.
void bind_observed(Flattened& flat, WireEnds& ends, FlattenContext& context, const FindCondition& condition);

} // namespace hilda::compile
