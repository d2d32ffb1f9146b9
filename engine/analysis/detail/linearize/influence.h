// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::analysis {

/// By block: may it change what one of `outputs`, also blocks, puts out, now or at any later tick? True as well of the
/// blocks themselves. Never false of one that does: a guard's signals count for all that are under it, and all inputs
/// that move something hang together, as a limit that one of them reaches stops them all.
Indexed<BlockIndex, bool> influences(const System& system, const std::vector<BlockIndex>& outputs);

/// The other way round: by block, may one of `inputs` change what it puts out, now or at any later tick?
Indexed<BlockIndex, bool> influenced(const System& system, const std::vector<BlockIndex>& inputs);

} // namespace hilda::analysis
