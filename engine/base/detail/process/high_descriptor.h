// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <fcntl.h>
#include <sys/resource.h>

namespace hilda::base {

/// A copy of a descriptor, out of the way of numbers that people know by heart, and of who closes all of the first
/// hundreds. -1: there is none.
inline int high_copy(int descriptor) {
  constexpr rlim_t few = 100, many = 1000, room = 64;
  rlimit most{};
  const bool roomy = getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur >= many + room;
  return fcntl(descriptor, F_DUPFD_CLOEXEC, static_cast<int>(roomy ? many : few));
}

} // namespace hilda::base
