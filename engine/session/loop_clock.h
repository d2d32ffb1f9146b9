// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/quantity/rational.h"
#include "engine/run/runtime.h"

#include <cstdint>
#include <hilda/abi.h>
#include <optional>

namespace hilda::session {

/// The block that paces a loop: its device's cycle is the tick.
struct PacingBlock {
  BlockIndex block{};
  const hilda_clock_1* clock = nullptr;
  void* record = nullptr;
};

/// What has to be paced: a block touches the world, by acquire or emit.
bool touches_world(const System& system);
/// Among the blocks that touch the world, one has an input that moves something.
bool moves_something(const System& system);

/// The pacing block of a configured system; none: the timer paces it. Codes: clock-twice (two blocks want to),
/// clock-period (its cycle is not the base period, or the block does not run in every tick).
std::optional<PacingBlock> find_pacing_block(Runtime& runtime, Diagnostics& diagnostics);

/// The beginning of a tick.
struct Beat {
  enum class Kind : std::uint8_t {
    came,
    late, ///< the device's cycle did not come before its deadline
    gone  ///< the device is not there any more
  } kind = Kind::came;
  std::int64_t begin = 0;  ///< ns, CLOCK_MONOTONIC: the packet's arrival, the timer's due time, or the missed deadline
  std::int64_t woke = 0;   ///< ns: when the loop continued
  std::int64_t jitter = 0; ///< ns: timer: woke after due; device: interval of arrivals less that of whole periods
  std::int64_t missed = 0; ///< timer: due times that had passed before the loop came to wait for them
  /// On the clock since the beat before. Timer: from one due time to the other; device: from waking to waking, and 0
  /// where cycles that were missed are reported at once.
  std::int64_t periods = 1;
};

/// What the loop waits for: the timer, or a device's packets.
///
/// The timer counts the due times that a long tick let pass and continues at the next. A device's cycle is due one and
/// a half periods after the last arrival, and each one that does not come is one beat; cycles that come during a long
/// tick are not waited for again: the newest is answered at once.
///
/// Time follows a device that counts its cycles: a late one is waited for, and those that its count says were missed
/// are their own beats before the one that came. Only where it is silent for longer does time continue without it.
class LoopClock {
public:
  LoopClock(const Rational& period, const std::optional<PacingBlock>& device);

  /// From now on.
  void start() noexcept;
  /// [loop]
  Beat wait() noexcept;
  /// [loop] The device is gone: the timer continues in its place.
  void lose_device() noexcept;

  std::int64_t period() const { return period_ns_; } ///< ns, rounded
  /// The block that paces it, or none: the timer.
  BlockIndex block() const { return device_ ? device_->block : BlockIndex(); }

private:
  Beat wait_for_timer() noexcept;
  Beat wait_for_device() noexcept;
  std::int64_t periods_to(std::int64_t woke) noexcept;
  std::int64_t due(std::int64_t cycle) const noexcept;

  Rational period_;
  std::int64_t period_ns_;
  std::optional<PacingBlock> device_;
  std::int64_t start_ = 0, cycle_ = 0; ///< timer
  std::int64_t last_ = 0, lost_ = 0;   ///< device: last arrival, beats without one since
  std::int64_t counted_ = 0;           ///< device: the last waking that was another period's than the one before
  std::int64_t patience_ = 0;          ///< cycles that a device may let be missing before time continues by itself
  bool arrived_ = false;
};

} // namespace hilda::session
