// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hilda::kuka {

/// [loop] Holds the robot's count of cycles against the monotonic clock.
///
/// A packet can come late and never early, so the earliest arrival in each second counts. Two seconds apart, they tell
/// by how much the robot's cycle differs from the configured one. A pause of the robot is not a drift and is taken out:
/// an interval that is much too long, and that the next one does not make up for.
class CycleClock {
public:
  /// `cycle`: ns.
  void begin(std::int64_t cycle) {
    *this = {};
    cycle_ = cycle;
  }

  /// The next telegram, `cycles` after the one before.
  void add(std::int64_t arrival, std::int64_t cycles) {
    if (began_ < 0) began_ = block_ = arrival_ = arrival;
    const std::int64_t late = arrival - arrival_ - cycles * cycle_;
    arrival_ = arrival;
    if (suspect_ > 0 && late > -suspect_ / 2) pauses_ += suspect_;
    // In steps, towards the median: what pauses add to the mean must not hide them.
    jitter_ = std::max<std::int64_t>(jitter_ + (std::llabs(late) > jitter_ ? cycle_ / 400 : -cycle_ / 400), 0);
    suspect_ = late > std::max(cycle_ / 5, 6 * jitter_) ? late : 0;
    count_ += cycles;
    if (suspect_ > 0) return; // the next one shows whether it was a pause
    earliest_ = std::min(earliest_, arrival - began_ - pauses_ - count_ * cycle_);
    if (arrival - block_ < second) return;
    close();
    block_ = arrival;
  }

  /// By how much the robot's cycle is longer than configured, as a share, from two seconds on; else 0.
  double drift() const { return drift_; }
  /// ns that IPOC counted, and that passed here meanwhile without the pauses.
  double counted() const { return counted_; }
  double passed() const { return counted_ * (1 + drift_); }

private:
  static constexpr std::int64_t second = 1'000'000'000, none = std::numeric_limits<std::int64_t>::max();

  void close() {
    counted_ = static_cast<double>((count_ - counts_[0]) * cycle_);
    if (++blocks_ >= 3) drift_ = static_cast<double>(earliest_ - mins_[0]) / counted_;
    mins_[0] = mins_[1], mins_[1] = earliest_;
    counts_[0] = counts_[1], counts_[1] = count_;
    earliest_ = none;
  }

  std::int64_t cycle_ = 4'000'000, arrival_ = 0, count_ = 0, began_ = -1, block_ = 0, earliest_ = none;
  std::int64_t suspect_ = 0, pauses_ = 0, jitter_ = 0;
  std::int64_t mins_[2] = {}, counts_[2] = {};
  int blocks_ = 0;
  double drift_ = 0, counted_ = 0;
};

} // namespace hilda::kuka
