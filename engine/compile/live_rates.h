// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Evaluates the `<live>` elements of a diagram and of its subsystems.
void read_live_rates(Flattened& flat);

/// Once units are known: finds what each names, and its rate in SI. Codes: live-path, live-rate, duplicate-live and
/// those of values.
void settle_live_rates(System& system, Diagnostics& diagnostics);

} // namespace hilda::compile
