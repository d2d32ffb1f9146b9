// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

namespace hilda::session {

/// How long a parameter with a rate has been at rest counts up to here: it never moves by more than its rate times this
/// at once.
inline constexpr double longest_still = 0.1; // s

/// How much further than its limit a value in decimals may be.
inline constexpr double rate_slack = 1e-9;

} // namespace hilda::session
