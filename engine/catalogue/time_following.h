// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>

namespace hilda::catalogue {

/// Whether outputs or derivatives of a block of this type follow time itself between two ticks, and not its inputs and
/// states alone: a source whose output is of time, or a type that says so.
bool follows_time(const BlockType& type);

/// Whether an expression names the time, `t`.
bool names_time(const std::string& expression);

} // namespace hilda::catalogue
