#pragma once

#include "engine/plan/memory.h"
#include "engine/plan/plan.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hilda {

/// Conditional execution: which guards let their members run at this tick, and what a reset does to them.
///
/// `enable` is a level: while it is false the members do not run and their outputs hold, or are zeroed with
/// outputs="reset". `reset` is a level too: at every tick where it is true, members start from their initial state.
class GuardStates {
public:
  void bind(const System& system, const Plan& plan, const Memory& memory, const std::vector<hilda_instance>& instances);

  /// [loop] Reads the guard's signals; its parent has been evaluated.
  void evaluate(int guard);
  bool active(int guard) const noexcept { return guard < 0 || states_[static_cast<std::size_t>(guard)].active != 0; }
  /// Is this block to read its priming inputs now? Answers yes once.
  bool take_prime(int block) noexcept {
    const bool pending = prime_pending_[static_cast<std::size_t>(block)] != 0;
    prime_pending_[static_cast<std::size_t>(block)] = 0;
    return pending;
  }
  /// Zeroes a block's state and sets its initial value; `self`: with a report of its own.
  void initialize(int block, const hilda_instance* self = nullptr);
  /// The block whose initialize runs at this moment, or -1.
  void forget_initializing() noexcept { initializing_.store(-1, std::memory_order_relaxed); }
  int initializing() const noexcept { return initializing_.load(std::memory_order_relaxed); }

  struct State {
    std::uint8_t active = 1, resetting = 0;
  };
  std::vector<State>& states() { return states_; }
  const std::vector<State>& states() const { return states_; }
  std::vector<std::uint8_t>& pending() { return prime_pending_; }
  const std::vector<std::uint8_t>& pending() const { return prime_pending_; }

private:
  struct Member {
    int block = -1;
    std::vector<Span> states, outputs;
    std::vector<hilda_ring*> rings;
  };
  struct Wiring {
    int parent = -1;
    const std::uint8_t* enable = nullptr;
    const std::uint8_t* reset = nullptr;
    bool reset_outputs = false;
    std::vector<int> members; ///< blocks
  };
  std::vector<Wiring> wirings_;
  std::vector<State> states_;
  std::vector<Member> members_; ///< by block; empty spans where it stands under no guard
  std::vector<std::uint8_t> prime_pending_;
  std::atomic<int> initializing_{-1};
  const Memory* memory_ = nullptr;
  const std::vector<hilda_instance>* instances_ = nullptr;
};

} // namespace hilda
