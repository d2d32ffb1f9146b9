// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/ability.h"

#include <span>

namespace hilda {

/// What each program of hilda offers to the plugins that it loads: recordings, for blocks that play a signal of a file.
std::span<const Ability> program_abilities();

} // namespace hilda
