// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/ability.h"

#include <span>

namespace hilda::session {

/// What each program of hilda offers to the plugins that it loads: recordings, for blocks that play a signal of a file.
std::span<const Ability> program_abilities();

} // namespace hilda::session
