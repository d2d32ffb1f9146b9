// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cmath>
#include <cstdint>
#include <ctime>

namespace hilda::session {

inline constexpr std::int64_t second_ns = 1'000'000'000;

/// ns of CLOCK_MONOTONIC, the clock of everything that is paced.
inline std::int64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second_ns + now.tv_nsec;
}

/// [loop] Sleeps until `when`, ns of CLOCK_MONOTONIC; signals do not shorten it.
inline void sleep_until(std::int64_t when) noexcept {
  const timespec until{when / second_ns, when % second_ns};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {}
}

inline double seconds_of(std::int64_t ns) noexcept { return static_cast<double>(ns) / second_ns; }
inline std::int64_t nanoseconds_of(double seconds) noexcept { return std::llround(seconds * second_ns); }

} // namespace hilda::session
