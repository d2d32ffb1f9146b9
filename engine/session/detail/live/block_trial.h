// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/parameter_change.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"

namespace hilda::session {

/// Lets each block that a change reaches look at it, on its own record: configure and prepare with the new values,
/// as when the diagram is loaded. The running block sees nothing of it. False after a report, with the codes that
/// loading has.
bool try_change(const Runtime& runtime, const ParameterChange& change, Diagnostics& diagnostics);

} // namespace hilda::session
