// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <ctime>

namespace witness {

/// Nanoseconds of CLOCK_MONOTONIC.
using Instant = std::int64_t;

constexpr Instant never = INT64_MAX;
constexpr Instant millisecond = 1'000'000;

inline Instant now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return Instant{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

inline Instant from_seconds(double seconds) { return static_cast<Instant>(seconds * 1e9); }

} // namespace witness
