// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

namespace hilda::compile {

/// Follows the wires of a flattened diagram through all borders of subsystems: fills System::wires, the signals of
/// guards and power ports, and the promises of ports.
///
/// A wire to or from something of another mode vanishes with it. What nothing drives is an error unless it is
/// optional; so are two drivers of one input. Where an error was reported, the wire is kept with an end missing
/// (PortRef::block is -1), so that inference does not report the same again.
/// Codes: those of WireEnds, two-drivers, undriven-input, undriven-output, undriven-condition, wire-loop, unused-input
/// (a warning).
void wire(Flattened& flat, FlattenContext& context);

} // namespace hilda::compile
