// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/continuous/resettable_integral.h"

#include <limits>

namespace {
using namespace hilda;

constexpr const char* reset_integrator_doc =
    "Integrates over time, for each element, and is set to another value where a signal changes its sign: dy/dt = u, "
    "y(0) = initial or what drives start, and y = restart where trigger rises above zero or falls to zero or below. "
    "With level "
    "it stays there while trigger is above zero. Where crossings are located that is at the very time, so a ball "
    "bounces as in a book; with a plain fixed step at the first tick behind it. A trigger that begins at zero does not "
    "fire. At a limit it stops until u leads back. Where a boolean says when: Integrator with reset_on.";

/// A number, whose sign counts.
struct SignedTrigger {
  static constexpr const char* unit = "@t";
  static constexpr const char* reset_on = "rising";
  static constexpr const char* reset_on_doc = "Which changes count";

  Input<double> in;
  explicit SignedTrigger(Block& block)
      : in(block, "trigger", "@t", "Its changes of sign set the integral", in_update) {}

  static constexpr bool connected() { return true; }
  /// Zero counts as below: a trigger of pulses from 0 to 1 rises and falls.
  double distance() const { return *in != 0 ? *in : -std::numeric_limits<double>::min(); }
  bool at_zero() const { return *in == 0; }
  static void check(const Instance&, ResetOn, bool) {}
};

using ResetIntegrator = ResettableIntegral<Dynamic, SignedTrigger>;

HILDA_BLOCK(ResetIntegrator, reset_integrator_doc)
} // namespace
