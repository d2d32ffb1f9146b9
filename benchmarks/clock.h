// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ctime>

namespace hilda::bench {

/// s of processor time of this thread: what others do on the machine is left out as far as it can be.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace hilda::bench
