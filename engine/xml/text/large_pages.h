#pragma once

#include <cstddef>

namespace hilda {

/// Makes room on the heap, in pages of 2 MB where the system has them, for all that loading a diagram of so many bytes
/// takes. A page of 4 kB is zeroed by the system when it is first touched, and for a hundred thousand blocks that is a
/// fifth of the load. Memory that is not touched costs nothing.
///
/// Nothing is done for a diagram of less than 256 kB, a second time for one that is no larger, where the process may
/// have so much memory only (ulimit), or with another malloc than glibc's.
void make_room_for_diagram(std::size_t bytes);

} // namespace hilda
