// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/unit.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::quantity {

/// A named unit: "mm", "Nm", "rev", "percent". None if there is no such name; prefixes are tried. Not thread-safe.
std::optional<UnitReading> find_unit(const std::string& name);

/// The names worth suggesting instead of a misspelt one.
const std::vector<std::string>& unit_names();

} // namespace hilda::quantity
