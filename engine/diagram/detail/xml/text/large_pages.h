// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>

namespace hilda::diagram {

/// Makes room on the heap, in pages of 2 MB where the system has them, for all that loading so many elements of a
/// diagram takes. A page of 4 kB is zeroed by the system when it is first touched, and for a hundred thousand blocks
/// that is a fifth of the load. Memory that is not touched costs nothing.
///
/// Nothing is done for less than 5000 elements, a second time for no more than before, where the process may have so
/// much memory only (ulimit), or with another malloc than glibc's.
void make_room_for_elements(std::size_t count);

} // namespace hilda::diagram
