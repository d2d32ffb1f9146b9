// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <optional>
#include <string>

namespace hilda::authoring {

/// Two changes of one text in one: none where they touch the same lines. What both put at one place is there in
/// this order: `theirs`, `mine`.
std::optional<std::string> merged_text(const std::string& base, const std::string& mine, const std::string& theirs);

} // namespace hilda::authoring
