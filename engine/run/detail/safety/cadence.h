// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cmath>
#include <cstdint>

namespace hilda::run {

/// How a tick is to the clock, in base periods.
struct Pace {
  std::int64_t periods = 1; ///< on the clock since the tick before; 0: this one follows at once
  std::int64_t overdue = 0; ///< rounded: by so much the sending of the tick before was late
};

/// [loop] What became of the samples of a device that says nothing of them itself.
///
/// The device is taken to look for a sample once in each of its cycles. A sample that is half a cycle late has
/// missed that look: it is not sent. One and a half cycles behind the place of the last sample the device has seen a
/// cycle without one.
///
/// Whose cycles these are is not known: they may stay where the first sample put them, or begin again with each sample
/// that comes. Where ticks were lost the two differ by a part of a cycle. A sample that is in time for the one and too
/// late for the other is not sent: after a whole cycle without one both are at rest.
class Cadence {
public:
  /// @param cycle  of the device, in base periods
  /// @param hold   base periods for which it continues with the last sample while none comes
  void bind(std::int64_t cycle, double hold) {
    *this = {};
    cycle_ = cycle, hold_ = hold;
    since_ = gap_ = cycle - 1; // the first sample is due in the first tick
  }
  /// A sample passes in this tick.
  void send() noexcept { fresh_ = true; }

  struct Finding {
    bool lost = false;   ///< the sample of the tick before was not sent
    bool stands = false; ///< the device has come to rest for want of samples
    bool unsure = false; ///< it may have come to rest or not: a cycle without a sample makes sure
  };
  /// At the beginning of a tick.
  Finding settle(const Pace& pace) noexcept {
    Finding found;
    found.lost = fresh_ && late(pace.overdue);
    if (fresh_ && !found.lost) since_ = behind(), gap_ = -pace.overdue;
    fresh_ = stood_ = false;
    since_ += pace.periods, gap_ += pace.periods;
    if (!found.lost && !missed()) return found;
    found.stands = stood_ = static_cast<double>(since_) > hold_;
    found.unsure = 2 * since_ == 3 * cycle_ || (hold_ < static_cast<double>(cycle_) && !missed_from_sample()) ||
                   (hold_ > 0 && std::abs(static_cast<double>(since_) - hold_) <= static_cast<double>(cycle_));
    return found;
  }
  /// A sample of this tick that is sent by so many base periods too late comes too late for its cycle.
  bool late(std::int64_t overdue) const noexcept {
    return overdue > 0 && 2 * (behind() + overdue) + 1 >= cycle_; // it may be half a period more
  }
  /// A sample that is sent now would reach the device in the cycle of the one before.
  bool early() const noexcept { return 2 * since_ < cycle_; }

private:
  /// Base periods by which this tick lies behind the device's own cycles, which continue while it moves.
  std::int64_t behind() const noexcept { return stood_ ? 0 : since_ - (2 * since_ + cycle_) / (2 * cycle_) * cycle_; }
  bool missed() const noexcept { return 2 * since_ >= 3 * cycle_; }
  /// Likewise, for certain, of a device whose cycle began with the last sample.
  bool missed_from_sample() const noexcept { return 2 * gap_ - 1 >= 3 * cycle_; } // it may be half a period less

  std::int64_t cycle_ = 1, since_ = 0; ///< base periods; since the place of the last sample that was sent in time
  std::int64_t gap_ = 0;               ///< base periods since that sample was sent
  double hold_ = 0;
  bool fresh_ = false, stood_ = false;
};

/// [loop] Cycles of the timer in a row in which nothing was sent in time.
class LostInARow {
public:
  std::int64_t count(const Pace& pace) noexcept {
    row_ = pace.overdue > 0 ? row_ + 1 : 0;
    if (pace.periods > 1) row_ += pace.periods - 1;
    return row_;
  }

private:
  std::int64_t row_ = 0;
};

} // namespace hilda::run
