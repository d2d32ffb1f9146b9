// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/unit.h"

#include <string_view>

namespace hilda::quantity {

/// Reads a unit, with or without variables, and keeps nothing. Not thread-safe. Errors as parse_unit.
Result<UnitExpression> read_unit(std::string_view text);

} // namespace hilda::quantity
