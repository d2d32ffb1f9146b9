// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"

namespace hilda::base {

/// One mistake in a file that a thousand subsystems use is found a thousand times. Of findings that are at one line
/// and differ in names alone, the first three stay, and the third lists the names of the others.
/// @param sorted  as Diagnostics::sorted gives them
std::vector<Diagnostic> folded(const std::vector<Diagnostic>& sorted);

} // namespace hilda::base
