// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/memory.h"
#include "engine/run/schedule.h"

#include <cstdint>
#include <vector>

namespace hilda::run {

/// What a differential equation takes from outside itself, and what may change at ticks alone: outputs of discrete
/// blocks that continuous ones read, discrete states of continuous blocks, guards. Where continuous blocks follow time
/// itself each tick is a hit, at which nothing restarts: steps that go far would pass a pulse unseen.
class HeldValues {
public:
  void bind(const System& system, const Memory& memory, const Schedule& schedule, const GuardStates& guards);

  /// [loop] Notes the values as they are at this tick. The block that changed one since the tick noted last, or none.
  BlockIndex take(std::int64_t tick) noexcept;
  /// [loop] Notes the values as they are, no matter who changed them.
  void note() noexcept;
  /// [loop] The next tick at which one may change that changed when it could last, or the largest number.
  std::int64_t next_hit(std::int64_t tick) const noexcept { return next_hit(tick, restless_); }

  /// By value: it changed when it could last. For steps that are made again.
  const std::vector<unsigned char>& restless() const { return restless_; }
  std::int64_t next_hit(std::int64_t tick, const std::vector<unsigned char>& restless) const noexcept;
  /// [loop] At this tick no value changed.
  void keep_still(std::int64_t tick, std::vector<unsigned char>& restless) const noexcept;

  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

private:
  struct Item {
    const unsigned char* data = nullptr; ///< null: it changes at every tick
    std::size_t bytes = 0, copy = 0;     ///< where in copies_
    BlockIndex owner{};
    std::int64_t divider = 1;
  };
  void add(const void* data, std::size_t bytes, BlockIndex owner, std::int64_t divider);
  void add_inputs(const System& system, const Memory& memory, const Schedule& schedule, BlockIndex block);
  void add_own(const Memory& memory, BlockIndex block);

  bool follows_time_ = false; ///< a continuous block does
  std::vector<Item> items_;
  std::vector<unsigned char> copies_;
  std::vector<unsigned char> restless_; ///< by item: it changed when it could last
};

} // namespace hilda::run
