// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/runtime.h"
#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// " 1 2 3 N": a signal as it was computed last, its first elements; begins with a blank.
std::string value_text(const SystemSignal& signal);

} // namespace hilda::cli
