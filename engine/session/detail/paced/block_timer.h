// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/call_observer.h"
#include "engine/session/loop_profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hilda::session {

/// Measures how long each block of a loop works, over all its phases; the solver's minor steps are not among them.
class BlockTimer : public CallObserver {
public:
  /// Before the first tick.
  void bind(std::size_t blocks);
  /// Times are reported to this profile, too; it measures minor steps and whole ticks itself.
  void tell(LoopProfile& profile) { profile_ = &profile; }
  void call(const Call& call, const hilda_tick* tick) override;
  void minor_call(const Call& call, const hilda_tick* tick) override;
  void mark(StepMark place) noexcept override;

  /// [loop] A tick begins.
  void begin_tick() noexcept;
  /// [loop] Brings `since_record` up to date, which then counts again.
  void publish() noexcept;

  /// s, by block: what was worked between the last two calls of publish. The memory stays where it is.
  const Indexed<BlockIndex, double>& since_record() const { return published_; }

  struct Share {
    BlockIndex block{}; ///< none: there are no more
    std::int64_t ns = 0;
  };
  static constexpr std::size_t shares = 3;
  /// [loop] The slowest blocks of the tick, slowest first.
  std::array<Share, shares> slowest() const noexcept;
  /// [loop] ns: all blocks in the tick.
  std::int64_t total() const noexcept { return total_; }

private:
  Indexed<BlockIndex, std::int64_t> in_tick_, unpublished_; ///< ns
  Indexed<BlockIndex, double> published_;
  std::int64_t total_ = 0;
  LoopProfile* profile_ = nullptr;
};

} // namespace hilda::session
