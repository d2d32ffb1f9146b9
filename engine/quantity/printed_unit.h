// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/unit.h"

#include <string_view>

namespace hilda::quantity {

/// The unit of a text that `Unit::text` may have printed: "N m" is then a torque and "J" an energy, however the text
/// reads elsewhere; so is it of "N mm", which it never prints.
Unit printed_unit(const UnitReading& read, std::string_view text);

} // namespace hilda::quantity
