#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/system.h"

namespace hilda {

/// Reports each block that never runs together with devices, where the system has one. Code: python-on-hardware.
void refuse_on_hardware(const System& system, Diagnostics& diagnostics);

} // namespace hilda
