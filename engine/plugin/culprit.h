// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/running_code.h"

namespace hilda::plugin {

/// Which of the equal blocks that one call runs does not come back: another thread calls them again one by one and
/// is at rest at the same one. Only for a program that is about to end, for the loop's thread is still in there.
/// Empty where it does not show within `patience` seconds.
RunningCode culprit_of_standstill(double patience);

} // namespace hilda::plugin
