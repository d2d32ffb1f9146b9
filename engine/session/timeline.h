// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/checkpoint.h"
#include "engine/session/tuning.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::session {

/// The past of a simulation: checkpoints at intervals within a budget of memory, and the way back to any tick, by the
/// checkpoint before it and the same ticks once more. Where the budget is full every second checkpoint goes and the
/// interval doubles, so that the whole run stays within reach. All of it is for the loop's thread, while it is paused.
class Timeline {
public:
  static constexpr std::size_t default_budget = std::size_t{64} << 20; // bytes
  static constexpr std::int64_t first_interval = 256;                  // ticks

  /// Both must outlive it.
  Timeline(Runtime& runtime, Tuning& tuning, std::size_t budget = default_budget);

  /// Why there is no way back: a block whose state lies outside of the engine. Empty: there is one.
  const std::string& obstacle() const { return obstacle_; }
  /// The tick at which `note` takes its next checkpoint.
  std::int64_t due() const { return due_; }
  /// Takes a checkpoint if it is time.
  void note();
  /// The earliest tick that can be gone back to; of what programs wrote to inputs only so much is remembered.
  std::int64_t begin() const;

  /// Goes to a tick between `begin` and the present one: everything is as it was when the run came to it. Changes made
  /// there and later are taken back. False, and nothing is changed, where there is no way.
  bool go_to(std::int64_t tick);

  std::size_t checkpoints() const { return past_.size(); }

private:
  void thin_out();
  bool take_again(const std::vector<TakenChange>& changes, const std::vector<InputPast::Entry>& numbers,
                  std::int64_t from, std::int64_t until);

  Runtime& runtime_;
  Tuning& tuning_;
  const std::size_t budget_;
  std::string obstacle_;
  /// What the solver had counted by then is in no checkpoint: it changes nothing of the run.
  struct Past {
    Checkpoint checkpoint;
    SolverCounts counted;
    std::vector<std::uint64_t> numbers; ///< of inputs
    std::int64_t tick() const { return checkpoint.tick; }
    std::size_t bytes() const { return checkpoint.bytes.size() + counted.bytes() + numbers.size() * 8; }
  };
  std::vector<Past> past_; ///< by tick
  std::size_t bytes_ = 0;
  std::int64_t interval_ = first_interval, due_ = 0;
};

} // namespace hilda::session
