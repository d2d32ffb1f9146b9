// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

namespace hilda::plugin {

/// The last call of a plugin on this thread that came back, outside of the loop: "guest (mine/Sensor), in configure".
/// Empty where there was none. For last words: it may be read in a signal handler.
const char* last_call();

} // namespace hilda::plugin
