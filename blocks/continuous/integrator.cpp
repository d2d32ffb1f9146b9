// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/continuous/resettable_integral.h"

namespace {
using namespace hilda;

constexpr const char* integrator_doc =
    "Integrates over time, for each element: dy/dt = u, y(0) = initial or what drives start. At a limit it stops "
    "until u leads back. With reset_on it is set to restart, or to initial, where reset becomes true (rising) or false "
    "(falling), or stays there while it is true (level): where crossings are located at the very time, else at the "
    "tick. There limits that wires drive may change at ticks alone.";

/// A boolean, which the attribute `reset` wires where reset_on is given.
struct ResetSignal {
  static constexpr const char* unit = "1";
  static constexpr const char* reset_on = "level";
  static constexpr const char* reset_on_doc = "Which changes of reset count; level: it stays while reset is true";

  Input<bool> in;
  explicit ResetSignal(Block& block) : in(block, "reset", "Sets the integral; see reset_on", optional, in_update) {}

  bool connected() const { return in.connected(); }
  double distance() const { return *in ? 1 : -1; }
  static constexpr bool at_zero() { return false; }
  void check(const Instance& self, ResetOn on, bool restarts) const {
    if (in.connected()) return;
    if (on != ResetOn::level)
      self.warn("reset_on", "has no effect, as nothing says when it is reset: give the block reset=\"...\", or wire "
                            "its input reset");
    if (restarts) self.warn("restart", "is never taken, as nothing drives reset: wire that, or remove this wire");
  }
};

template <int N> using Integrator = ResettableIntegral<N, ResetSignal>;

HILDA_BLOCK_VARIANTS("Integrator", integrator_doc, Integrator<Dynamic>, Integrator<1>, Integrator<3>, Integrator<6>)
} // namespace
