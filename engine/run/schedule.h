// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/driven_parameters.h"
#include "engine/run/detail/schedule/flagging.h"
#include "engine/run/plan.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hilda::run {

using RateIndex = Index<struct RateTag>; ///< into Schedule::dividers

/// One entry of the loop: a function over a run of equal records, or a piece of the engine itself.
struct Call {
  enum class Kind : std::uint8_t {
    single,
    many,
    guard,
    prime,
    safety,
    keep_marks, ///< of the processor: what comes next may clear them
    drop_marks  ///< what came before is looked at in any case
  };
  using Single = void (*)(void*, const hilda_tick*);
  using Many = void (*)(void*, std::uint64_t, std::uint64_t, const hilda_tick*);

  Kind kind = Kind::single;
  bool continuous = false; ///< runs at minor steps too
  RateIndex rate = RateIndex(0);
  GuardIndex guard{};     ///< under which it runs
  BlockIndex block{};     ///< the first of the run; none where kind is guard or about marks
  GuardIndex evaluated{}; ///< where kind is guard
  WireIndex wire{};       ///< where kind is safety
  Single single = nullptr;
  Many many = nullptr;
  char* first = nullptr;
  std::uint64_t stride = 0, count = 1;
  std::uint32_t lanes = 1; ///< blocks whose records lie in one another: `count` and `stride` are those of their groups

  std::uint64_t blocks() const { return count * lanes; }
  /// The record of one of its blocks.
  char* record(std::uint64_t item) const {
    constexpr std::uint64_t lane_cell = 8;
    return first + item / lanes * stride + item % lanes * lane_cell;
  }
};

/// The entry of the loop that runs at this moment, or null: read after a crash, and by who watches for a standstill.
using RunningCall = std::atomic<const Call*>;

/// A continuous state and its derivative.
struct Integrated {
  double* value = nullptr;
  const double* derivative = nullptr;
  std::size_t count = 0;
  GuardIndex guard{};
  BlockIndex block{};
  SlotIndex slot{};
};

/// A value of a continuous block whose sign changes are located within a step.
struct Crossing {
  double* value = nullptr;
  double* side = nullptr; ///< where the solver writes on which side of zero the block is; null: it looks itself
  double* rate = nullptr; ///< where the value's rate is written, if that decides; or null
  BlockIndex block{};
};

/// What the loop runs, in order, with every address resolved.
struct Schedule {
  Indexed<RateIndex, std::int64_t> dividers; ///< base ticks; [0] is 1
  std::vector<Call> acquire, first_outputs, outputs, emit, update;
  std::vector<Call> minor, derivative, project; ///< continuous blocks alone
  std::vector<Integrated> integrated;
  std::vector<Span> minor_outputs;                 ///< outputs that minor steps overwrite
  std::vector<GuardIndex> minor_guards;            ///< under which each of these is
  std::vector<Crossing> crossings, held_crossings; ///< those of blocks that look themselves, and the others
};

/// "output", "update": which of the type's functions a call is, for messages.
const char* phase_name(const Call& call, const hilda_block_type& type) noexcept;

/// `driven` must outlive the schedule: calls point into it.
/// `separate`: one call a block, so that an audit, a trap or a clock can distinguish them. The bits are the same.
Schedule make_schedule(const System& system, const Plan& plan, const Memory& memory, const Flagging& flagging,
                       DrivenParameters& driven, bool separate);

} // namespace hilda::run
