// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda::session {

/// What a variable step cost, and who forced it to restart; of a fixed one the events that were located and the
/// error of a step, else null.
nlohmann::ordered_json solver_document(const Runtime& runtime);

/// The same in words, on lines that end with a newline; empty where there is nothing to say.
std::string solver_text(const Runtime& runtime);

} // namespace hilda::session
