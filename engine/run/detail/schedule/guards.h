// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/mode_witness.h"
#include "engine/run/memory.h"
#include "engine/run/plan.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hilda::run {

/// Conditional execution: which guards let their members run at this tick, and what a reset does to them.
///
/// `enable` is a level: while it is false the members do not run and their outputs hold, or are zeroed with
/// outputs="reset". `reset` is a level too: at every tick where it is true, members start from their initial state.
/// `trigger` is not a level: members run in the ticks in which it has changed as `edge` says.
class GuardStates {
public:
  /// `modes` is by where a block is initialized in the loop.
  void bind(const System& system, const Plan& plan, const Memory& memory,
            const Indexed<BlockIndex, hilda_instance>& instances, ModeWitness& modes);

  /// [loop] Reads the guard's signals; its parent has been evaluated.
  void evaluate(GuardIndex guard);
  /// [loop] The same between two ticks, where the signals have changed since. What was reset until here starts from its
  /// initial state once more. False: they have not, and nothing is done.
  bool evaluate_changed(GuardIndex guard);
  bool active(GuardIndex guard) const noexcept { return !guard.valid() || states_[guard].active != 0; }
  /// Is this block to read its priming inputs now? Answers yes once.
  bool take_prime(BlockIndex block) noexcept {
    const bool pending = prime_pending_[block] != 0;
    prime_pending_[block] = 0;
    return pending;
  }
  /// Zeroes a block's state and sets its initial value; `self`: with its own report.
  void initialize(BlockIndex block, const hilda_instance* self = nullptr);
  /// The block whose initialize runs at this moment, or none.
  void forget_initializing() noexcept { initializing_.store({}, std::memory_order_relaxed); }
  BlockIndex initializing() const noexcept { return initializing_.load(std::memory_order_relaxed); }

  struct State {
    std::uint8_t active = 1, resetting = 0;
    std::uint8_t trigger = unknown; ///< as it was last
    static constexpr std::uint8_t unknown = 2;
  };
  Indexed<GuardIndex, State>& states() { return states_; }
  const Indexed<GuardIndex, State>& states() const { return states_; }
  Indexed<BlockIndex, std::uint8_t>& pending() { return prime_pending_; }
  const Indexed<BlockIndex, std::uint8_t>& pending() const { return prime_pending_; }

private:
  struct Member {
    BlockIndex block{};
    std::vector<Span> states, outputs;
    std::vector<hilda_ring*> rings;
  };
  struct Wiring {
    bool fires(State& state) const noexcept;
    bool enabled(const State& above) const noexcept { return above.active != 0 && (enable == nullptr || *enable != 0); }
    bool resets(const State& above) const noexcept { return above.resetting != 0 || (reset != nullptr && *reset != 0); }
    GuardIndex parent{};
    const std::uint8_t* enable = nullptr;
    const std::uint8_t* reset = nullptr;
    const std::uint8_t* trigger = nullptr;
    bool rising = false, falling = false;
    bool reset_outputs = false;
    bool zeroed_from_above = false; ///< a condition around it has outputs="reset"
    std::vector<BlockIndex> members;
  };
  State above(const Wiring& wiring) const { return wiring.parent.valid() ? states_[wiring.parent] : State{}; }
  bool zeroes(GuardIndex guard) const noexcept;

  Indexed<GuardIndex, Wiring> wirings_;
  Indexed<GuardIndex, State> states_;
  Indexed<BlockIndex, Member> members_; ///< empty spans where it is under no guard
  Indexed<BlockIndex, std::uint8_t> prime_pending_;
  std::atomic<BlockIndex> initializing_{};
  const Memory* memory_ = nullptr;
  ModeWitness* modes_ = nullptr;
  const Indexed<BlockIndex, hilda_instance>* instances_ = nullptr;
};

} // namespace hilda::run
