// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/runtime.h"
#include "tools/modules.h"

#include <optional>
#include <string>

namespace hilda::python {

/// The unit that a parameter has in this run, where its declaration leaves it open: of a block, one whose slot takes
/// any unit; of a diagram, one that was given with a unit. None where there is no such parameter, or it holds a text, a
/// pose, a twist, a wrench or a bare number.
std::optional<Unit> open_unit(const Runtime& runtime, const std::string& path);

/// The same as a text that, written behind a number, means that unit: an inertia is "kg m2" also where its author left
/// out rad. Empty for none and for a plain number.
std::string open_unit_text(const Runtime& runtime, const std::string& path);

} // namespace hilda::python
