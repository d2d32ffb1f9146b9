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

/// What to write behind a number that `get` gave, which is in SI, so that it means the same: the unit of an open
/// parameter (an inertia is "kg m2" also where its author left out rad), or the SI unit of one whose bare numbers count
/// in another unit, such as Hz. Empty where a bare number means that already.
std::string unit_of_bare_number(const Runtime& runtime, const std::string& path);

} // namespace hilda::python
