// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/verdict_text.h"

#include "engine/run/runtime.h"

#include <cmath>
#include <fmt/format.h>

namespace hilda::session {

std::string verdict_text(const Ending& ending) {
  return std::isnan(ending.value) ? ending.text : fmt::format("{} ({:.10g})", ending.text, ending.value);
}

} // namespace hilda::session
