// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/machine/witness.h"

#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>

namespace hilda::session {

Witness::Witness(const RealtimeSettings& settings) : waits_(most_waits) {
  thread_ = std::make_unique<LoopThread>(settings, [this] { work(); });
}

void Witness::stop() {
  stop_.store(true, std::memory_order_relaxed);
  thread_->join();
}

void Witness::work() noexcept {
  std::int64_t due = monotonic_ns() + period;
  while (!stop_.load(std::memory_order_relaxed)) {
    sleep_until(due);
    const std::int64_t now = monotonic_ns();
    lateness_.add(now - due);
    if (now - due > tolerance && waits_kept_ < waits_.size()) waits_[waits_kept_++] = {due, now};
    due += ((now - due) / period + 1) * period;
  }
}

bool Witness::waited_within(const TimeSpan& span) const {
  const auto end = waits_.begin() + static_cast<std::ptrdiff_t>(waits_kept_);
  const auto at =
      std::partition_point(waits_.begin(), end, [&](const TimeSpan& wait) { return wait.end < span.begin; });
  return at != end && at->overlaps(span);
}

} // namespace hilda::session
