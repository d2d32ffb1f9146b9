// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::run {
struct Ending;
}

namespace hilda::session {

/// Why a run ended, with the number that was at fault behind it: "must be above 0 rad/s (-18.85)".
std::string verdict_text(const Ending& ending);

} // namespace hilda::session
