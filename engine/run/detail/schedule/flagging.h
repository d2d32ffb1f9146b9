// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/memory.h"

namespace hilda::run {

/// A block flags what it does: no output or state of it becomes NaN or infinite, while its inputs, states and
/// parameters are finite, without the processor's mark for it. Its type says so (HILDA_RAISES_FLAGS); with parameters
/// or values that such marks cannot tell of it is none. One byte a block, 0 or 1.
using Flagging = Indexed<BlockIndex, unsigned char>;
Flagging flagging_blocks(const System& system, const Memory& memory);

/// Can the others be distinguished at every call? They may clear the marks, and there are calls of several blocks
/// before which no mark is kept: those of the solver, and the starts that a reset brings.
bool others_apart(const System& system, const Flagging& flagging);

} // namespace hilda::run
