// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

namespace hilda::cli {

/// From here on a thread looks whether a plugin's code comes back, and says on stderr which block does not and in which
/// phase: after 5 s, and again each time that has doubled. HILDA_CALL_LIMIT, in s, ends the program then, with exit
/// code 2 before the first tick and 3 in the loop. Once a process.
void tell_of_standstills();

/// The same end for calls in the loop, whatever HILDA_CALL_LIMIT says: while devices move.
void limit_loop_calls(double seconds);

} // namespace hilda::cli
