// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

namespace hilda::plugin {

/// From here on a plugin that calls exit or quick_exit ends the process with a status that is never a success: 2 before
/// the loop, 3 in it and after it, and says on stderr which block it was and in which phase. In any program that loads
/// plugins; once a process. What calls _exit is not seen.
void guard_exits();

/// The program has its own answer to that.
void leave_exits_to_program();

} // namespace hilda::plugin
