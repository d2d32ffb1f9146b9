// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <optional>
#include <string_view>

namespace hilda::base {

/// A number without a unit, in every locale, where the whole text is one: "1e-9", "inf".
std::optional<double> plain_number(std::string_view text);

} // namespace hilda::base
