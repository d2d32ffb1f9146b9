// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/signal_type.h"
#include "engine/modules.h"

#include <string>

namespace hilda::catalogue {

/// "wrench", "3 [m/s]", "6x6 [1]", "scalar [N]", "boolean"; "?" for what is not known.
std::string describe(const SignalType& type);

} // namespace hilda::catalogue
