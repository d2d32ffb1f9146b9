// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hilda::session {

/// Counts of durations in bins that widen with the duration: 16 to an octave, so that every one is known to 1/16.
/// From 1 ns to 292 years; nothing is allocated.
class LatencyHistogram {
public:
  /// [loop] A duration in ns; a negative one counts as 0.
  void add(std::int64_t ns) noexcept;

  std::uint64_t count() const { return count_; }
  /// ns; 0 where nothing was counted
  std::int64_t max() const { return max_; }
  /// The duration that a fraction `q` (0 to 1) does not exceed, ns: the upper end of its bin, at most max().
  std::int64_t percentile(double q) const;
  /// How many were longer than `ns`, to the width of a bin.
  std::uint64_t above(std::int64_t ns) const;

  /// Lines from the shortest to the longest, at 1, 2 and 5 of each decade: from, to, a bar, the count. All that is
  /// below 1 us is one line. Lines begin with `indent`.
  std::string chart(const std::string& indent) const;

private:
  static constexpr int bits = 4; ///< of a bin within its octave
  static constexpr std::size_t per_octave = std::size_t{1} << bits;
  static constexpr std::size_t bins = (64 - bits) * per_octave;
  static std::size_t bin_of(std::int64_t ns) noexcept;
  /// Of the last value in a bin.
  static std::int64_t end_of(std::size_t bin) noexcept;

  std::array<std::uint64_t, bins> bins_{};
  std::uint64_t count_ = 0;
  std::int64_t max_ = 0;
};

/// "59 us", "1.25 ms": three digits.
std::string duration_in_words(std::int64_t ns);

} // namespace hilda::session
