// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/located_guards.h"
#include "engine/run/detail/solve/crossing_search.h"
#include "engine/run/detail/solve/methods/solver_statistics.h"
#include "engine/run/memory.h"

#include <span>
#include <vector>

namespace hilda::run {

/// What happens between ticks where crossings are located: blocks hear of theirs, and hold their modes in between.
class Events {
public:
  /// Everything given must stay where it is.
  void bind(const System& system, const Memory& memory, RightHandSide& f, GuardStates& guards);
  CrossingSearch& search() { return search_; }
  const CrossingSearch& search() const { return search_; }

  /// [loop] A tick's steps follow.
  void enter() noexcept { in_tick_ = 0; }
  /// [loop] Steps restart in these states: blocks take their modes, and crossings their sides. A value at zero that is
  /// about to leave it has its event here; the event may write states. False: they never end.
  bool begin(double t, const std::vector<double>& x);
  /// [loop] Crossings of this time, of which the states are: each that has changed is reported to its block, until what
  /// the blocks make of it changes no other. False: they never end.
  bool take(double t);

  /// [loop] Outputs are those of this time. True where a condition under which blocks run has changed with them: steps
  /// restart.
  bool take_conditions(double t);

  /// `take` or `begin` was false as an event that writes states follows itself at once, without end.
  bool indistinct() const { return indistinct_; }
  /// [loop] Writes what is wrong where `take` was false. `otherwise` is what else can be done than mend the equations.
  void tell_chatter(std::span<char> problem, double t, const char* otherwise) const noexcept;
  /// [loop] The same where events follow each other so fast that no step gets past them; `why` says what is too coarse.
  static void tell_zeno(std::span<char> problem, double t, const char* why) noexcept;

  /// The block that was notified last, and when.
  BlockIndex last_block() const { return last_block_; }
  double& last_time() { return last_time_; }
  /// How many of each block's have been reported, the most frequent first.
  std::vector<SolverCause> causes() const;
  Indexed<BlockIndex, std::int64_t>& counts() { return counts_; }
  const Indexed<BlockIndex, std::int64_t>& counts() const { return counts_; }

private:
  bool tell_all(double t, const std::vector<std::size_t>& fired);
  std::size_t tell_block(const std::vector<std::size_t>& fired, std::size_t first);
  void call(BlockIndex block);

  static constexpr int most = 1000;       ///< from one tick to the next
  static constexpr int most_rounds = 100; ///< at one time
  const System* system_ = nullptr;
  const Memory* memory_ = nullptr;
  RightHandSide* f_ = nullptr;
  CrossingSearch search_;
  LocatedGuards conditions_;
  std::vector<BlockIndex> modal_;  ///< blocks with crossings and a phase for their events, as they run
  std::vector<hilda_fired> fired_; ///< of the block that is notified
  Indexed<BlockIndex, std::int64_t> counts_;
  int in_tick_ = 0;
  std::vector<double> before_, after_; ///< states around an event
  bool indistinct_ = false;
  BlockIndex last_block_;
  double last_time_ = -1;
  Call call_;
};

} // namespace hilda::run
