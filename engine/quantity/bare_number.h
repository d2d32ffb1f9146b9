// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace hilda::quantity {

/// What a text says by itself; none where it names parameters or has no number.
std::optional<Value> literal_number(std::string_view text);

/// Whether `given` is a number without a unit and `replaced` one with a unit. Zero and infinities have every unit.
bool drops_unit(const Value& given, const Value& replaced);

/// A number without a unit that replaces one with a unit that is not SI: both readings, for a warning. None where both
/// are the same number. Code: setting-bare.
/// @param path  what is set
/// @param unit  in which it is read; empty: in that of what takes it, which is SI as a rule
std::optional<Error> two_readings(const std::string& path, const Value& given, const Value& replaced,
                                  const std::string& unit);

} // namespace hilda::quantity
