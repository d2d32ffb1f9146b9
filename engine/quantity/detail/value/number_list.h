// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/value.h"

#include <string_view>
#include <vector>

namespace hilda::quantity {

/// Stands for an inserted value in the text of a list. XML cannot hold this character.
constexpr char placeholder = '\x01';

/// A result of `${}` in which rad counts as 1 does not say what it is where the unit required is made of turns or
/// degrees.
Error turns_or_radians(const std::string& given, const std::string& wanted);

/// The message about -300 degC.
Error below_absolute_zero(double number, const std::string& unit);

/// Whether a unit may begin with it.
bool starts_unit(char c);

/// Reads numbers with their rows and unit, or booleans; anything else is text, with a problem where it begins like a
/// number. `inserted` has the values of the placeholders, in order. The result has no text.
Value read_list(std::string_view text, const std::vector<Value>& inserted);

} // namespace hilda::quantity
