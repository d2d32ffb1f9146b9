// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/sentence.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hilda::kuka {

/// [loop] The robot's cycles in which it took no answer, by what was to blame, and when there are too many.
class LostCycles {
public:
  /// Whose fault a cycle is. The order is that of the counts.
  enum Cause : std::uint8_t { telegram, answer, process };

  struct Limits {
    std::int64_t in_a_row = 5;
    double share = 0.1;
    double window = 2; ///< s
    double cycle = 4e-3;
  };

  void begin(const Limits& limits) {
    limits_ = limits;
    total_ = row_by_ = {};
    buckets_ = {};
    bucket_ = 0, row_ = 0;
  }

  /// A cycle whose answer was taken.
  void took() { count(0), row_ = 0, row_by_ = {}; }
  /// `cycles` without one.
  void lost(Cause cause, std::int64_t cycles) {
    for (std::int64_t i = 0; i < cycles; ++i) count(1), bucket().by[cause] += 1;
    row_ += cycles, row_by_[cause] += cycles, total_[cause] += cycles;
  }

  std::int64_t in_a_row() const { return row_; }
  std::int64_t of(Cause cause) const { return total_[cause]; }
  std::int64_t all() const { return total_[telegram] + total_[answer] + total_[process]; }
  /// Of the window's cycles, those that are yet to come counted as taken.
  double share() const {
    std::int64_t lost = 0, cycles = 0;
    for (const Bucket& each : buckets_) lost += each.lost, cycles += each.cycles;
    cycles = std::max(cycles, span() * static_cast<std::int64_t>(buckets_.size()));
    return static_cast<double>(lost) / static_cast<double>(cycles);
  }
  bool too_many_in_a_row() const { return row_ > limits_.in_a_row; }
  bool too_large_a_share() const { return share() > limits_.share; }

  /// Why the run ends.
  void say_row(Sentence& to) const {
    to.begin() << row_ << " cycles in a row in which the robot took no answer (lost_in_a_row allows "
               << limits_.in_a_row << "): ";
    say(to, row_by_);
  }
  void say_share(Sentence& to) const {
    std::array<std::int64_t, 3> by{};
    for (const Bucket& each : buckets_)
      for (std::size_t i = 0; i < 3; ++i) by[i] += each.by[i];
    to.begin() << share() * 100 << " % of the cycles of the last " << limits_.window
               << " s in which the robot took no answer (lost_share allows " << limits_.share * 100 << " %): ";
    say(to, by);
  }

private:
  struct Bucket {
    std::int64_t cycles = 0, lost = 0;
    std::array<std::int64_t, 3> by{};
  };

  /// Cycles a bucket.
  std::int64_t span() const {
    const double cycles = limits_.window / limits_.cycle / static_cast<double>(buckets_.size());
    return cycles > 1 ? std::llround(cycles) : 1;
  }
  Bucket& bucket() { return buckets_[bucket_]; }
  void count(std::int64_t lost) {
    if (bucket().cycles >= span()) {
      bucket_ = (bucket_ + 1) % buckets_.size();
      bucket() = {};
    }
    bucket().cycles += 1, bucket().lost += lost;
  }
  static void say(Sentence& to, const std::array<std::int64_t, 3>& by) {
    static constexpr std::array<const char*, 3> words{
        " for telegrams of the robot that did not come (cable, switch, RSI ended: the pendant says why)",
        " for answers that did not reach the robot in time",
        " for this process, which did not run then (stopped, or the machine is busy: hilda doctor)"};
    std::array<bool, 3> said{};
    for (bool first = true;; first = false) { // the largest part first
      std::size_t most = 0;
      for (std::size_t i = 0; i < 3; ++i)
        if (!said[i] && (said[most] || by[i] > by[most])) most = i;
      if (said[most] || (by[most] == 0 && !first)) return;
      said[most] = true;
      to << (first ? "" : ", ") << by[most] << words[most];
    }
  }

  Limits limits_;
  std::array<std::int64_t, 3> total_{}, row_by_{};
  std::array<Bucket, 20> buckets_{};
  std::size_t bucket_ = 0;
  std::int64_t row_ = 0;
};

} // namespace hilda::kuka
