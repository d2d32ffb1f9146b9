#pragma once

#include "engine/loop/runtime.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda {

/// What a variable step cost, and who forced it to begin anew; null where the step is fixed.
nlohmann::ordered_json solver_document(const Runtime& runtime);

/// The same in words, on lines that end with a newline; empty where the step is fixed.
std::string solver_text(const Runtime& runtime);

} // namespace hilda
