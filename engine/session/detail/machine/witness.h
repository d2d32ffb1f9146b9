// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/detail/machine/latency_histogram.h"
#include "engine/session/detail/machine/loop_thread.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace hilda::session {

/// A piece of time, ns of CLOCK_MONOTONIC.
struct TimeSpan {
  std::int64_t begin = 0, end = 0;
  bool overlaps(const TimeSpan& other) const { return begin <= other.end && other.begin <= end; }
};

/// Runs next to a loop with the same priority on the same processors, does nothing but wake every millisecond, and
/// remembers when the machine let it wait: a reply that was late meanwhile is the machine's fault and not the loop's.
class Witness {
public:
  static constexpr std::int64_t period = 1'000'000;    ///< ns
  static constexpr std::int64_t tolerance = 1'000'000; ///< ns: what may pass without being remembered

  explicit Witness(const RealtimeSettings& settings);
  ~Witness() { stop(); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// Ends it; before what follows.
  void stop();
  /// How late it woke, each time.
  const LatencyHistogram& lateness() const { return lateness_; }
  /// Was it kept waiting for longer than the tolerance at some time within `span`?
  bool waited_within(const TimeSpan& span) const;

private:
  void work() noexcept;

  static constexpr std::size_t most_waits = std::size_t{1} << 16;
  LatencyHistogram lateness_;
  std::vector<TimeSpan> waits_; ///< in the order of time
  std::size_t waits_kept_ = 0;
  std::atomic<bool> stop_{false};
  std::unique_ptr<LoopThread> thread_;
};

} // namespace hilda::session
