// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/continuous/integral_limits.h"
#include <hilda/per_element.h>

namespace hilda {

enum class ResetOn { rising, falling, either, level };

/// An integral with limits that a trigger sets to another value. `Trigger` declares the input that says when: its
/// name and unit, what it is by default, distance(), whose sign is what counts and which is not 0, and at_zero().
/// Resets that follow each other ever faster, each of which is a shorter way back, as of a ball that bounces, end at
/// rest: 0, until the input leads away.
template <int N, class Trigger> struct ResettableIntegral : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  Trigger trigger{*this};
  Input<Elements<N>> restart{*this,    "restart", "*s", "@u s", "What it is set to; where nothing drives it, initial",
                             optional, in_update};
  Input<Elements<N>> first{*this,    "start",   "*s",  "@u s", "Value at the start; where nothing drives it, initial",
                           optional, in_update, primes};
  Output<Elements<N>> y{*this, "y", "*s", "@u s", "The integral", from_state, between("lower", "upper")};
  Parameter<ResetOn> reset_on{*this, "reset_on", Trigger::reset_on_doc, by_default(Trigger::reset_on)};
  PerElement<N> initial{*this, "initial", "@u s", "Integral at the start: one number, or one for each element",
                        by_default("0")};
  PerElement<N> lower{*this, "lower", "@u s", "Smallest integral", live, by_default("-inf")};
  PerElement<N> upper{*this, "upper", "@u s", "Largest integral", live, by_default("inf")};
  ContinuousState<Elements<N>> x{*this, "x", "*s", "@u s", "Integral"};
  State<Elements<N>> place{
      *this, "place", "*s", "", "Since the last event: 1 and -1 at the upper and lower limit, else 0", modal};
  State<double> side{*this, "side", "", "The trigger's sign when it was last known; 0 before, -2 as it began at zero",
                     modal};
  State<Elements<N>> rest{*this, "rest", "*s", "", "The sign of u that keeps it at rest, or 0: it moves", modal};
  State<double> reset_at{*this, "reset_at", "s", "When it was reset last", modal};
  State<double> reset_gap{*this, "reset_gap", "s", "How long after the time before", modal};
  State<Elements<N>> lowest{*this, "lowest", "*s", "@u s", "lower, as it was at the last tick", modal};
  State<Elements<N>> highest{*this, "highest", "*s", "@u s", "upper, as it was at the last tick", modal};

  Crossing<Elements<N>> left{*this, "left", "*s", "@u s", "How far it is from a limit; at one, how u keeps it there"};
  Crossing<double> edge{*this, "edge", Trigger::unit, "The trigger"};

  void configure(const Instance& self) override {
    for (const auto* p : {&initial, &lower, &upper}) p->check(self, u.rows(), u.cols());
    trigger.check(self, *reset_on, restart.connected());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void initialize(const Instance&) override {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limits(i).limited(initial[i]);
    (*place).setZero();
    (*rest).setZero();
    side = 0;
    reset_at = -long_ago;
    reset_gap = long_ago;
    keep_limits();
  }
  void prime(const Tick&) override {
    if (!first.connected()) return;
    auto state = *x;
    const auto given = *first;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limits(i).limited(given[i]);
  }
  // A solver's stages may pass a limit: project() then leads back to it, or an event is located there.
  void state_output(const Tick& t) override {
    const auto state = *x;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = t.located() ? state[i] : limits(i).limited(state[i]);
  }
  void derivative(const Tick& t) override {
    if (t.located()) return move_as_sides_say(t);
    if (*reset_on == ResetOn::level && *side > 0) // as at the tick
      std::fill_n(x.dot().data(), u.size(), 0.0);
    else
      x.dot() = *u;
  }
  void project(const Tick& t) override {
    if (!t.located()) limit();
  }
  void event(const Tick& t, const Fired& fired) override {
    const int turned = trigger.connected() ? fired.direction(edge) : 0;
    if (turn(turned)) come_to_rest(t);
    auto state = *x, at = *place, still = *rest;
    const auto in = *u;
    for (Eigen::Index i = 0; i < state.size(); ++i) {
      const bool leaves = still[i] != 0 && (fired.direction(left, i) < 0 || still[i] * in[i] <= 0);
      const int changed = leaves ? 1 : fired.direction(left, i);
      if (leaves) still[i] = 0;
      if (fired.none() || turned != 0 || changed != 0) at[i] = limits(i).next(at[i], changed < 0, state[i], in[i]);
    }
  }
  /// Where nothing locates its changes they count at ticks.
  void update(const Tick&) override {
    keep_limits();
    if (!trigger.connected()) return;
    if (*side == 0 && trigger.at_zero()) {
      side = began_at_zero;
      return;
    }
    const double distance = trigger.distance();
    turn(int(distance > 0) - int(distance < 0));
  }

private:
  static constexpr double began_at_zero = -2;
  static constexpr double long_ago = 1e300; ///< s: states are finite
  /// Of a period: between two resets, so that the second may end at rest. What a ball still rises by then is about a
  /// 1e-14th of what it falls in a period from rest times ten.
  static constexpr double soon = 1e-5;

  IntegralLimits limits(Eigen::Index i) const { return {lower[i], upper[i]}; }
  void limit() {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limits(i).limited(state[i]);
  }
  /// No limit is the largest number there: a state is never infinite.
  static double finite(double limit) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(limit, -most, most);
  }
  void keep_limits() {
    auto low = *lowest, high = *highest;
    for (Eigen::Index i = 0; i < low.size(); ++i) low[i] = finite(lower[i]), high[i] = finite(upper[i]);
  }
  /// Where it meets a limit, and when it leaves it, is located only for constant limits.
  bool limits_stand() const {
    const auto low = *lowest, high = *highest;
    for (Eigen::Index i = 0; i < low.size(); ++i)
      if (low[i] != finite(lower[i]) || high[i] != finite(upper[i])) return false;
    return true;
  }
  void move_as_sides_say(const Tick& t) {
    if (!limits_stand())
      return t.fail("its limit moves within a tick: where crossings are located lower and upper may change at ticks "
                    "alone; give what drives them a sample time, or take solver=\"rk4\" without events");
    const double distance = trigger.connected() ? trigger.distance() : -std::numeric_limits<double>::infinity();
    const bool stays = edge.positive(distance) && *reset_on == ResetOn::level;
    const auto in = *u;
    const auto state = *x, at = *place, still = *rest;
    double* const slope = x.dot().data();
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double kept = still[i] * in[i];
      const bool stands = stays || still[i] != 0;
      left.positive(stays ? 1 : still[i] != 0 ? kept : limits(i).left(at[i], state[i], in[i]), i);
      slope[i] = stands ? 0 : limits(i).slope(at[i], left.side(i), state[i], in[i]);
    }
  }
  /// The trigger has this sign now. True where that resets it.
  bool turn(int now) {
    if (now == 0) return false;
    const bool changed = std::abs(*side) == 1 && *side != now,
               wanted = *reset_on == ResetOn::either || (*reset_on == ResetOn::falling) == (now < 0);
    if (*side != now) (*rest).setZero();
    side = now;
    if (*reset_on == ResetOn::level ? now < 0 : !changed || !wanted) return false;
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i)
      state[i] = limits(i).limited(restart.connected() ? (*restart)[i] : initial[i]);
    return true;
  }
  /// It was reset at an event. Elements that are about to come back to where they were, sooner than since the last
  /// time, rest there where that time was short and shorter than the one before.
  void come_to_rest(const Tick& t) {
    if (*reset_on == ResetOn::level || *reset_on == ResetOn::either) return;
    const double gap = t.time() - *reset_at, before = *reset_gap;
    reset_at = t.time();
    reset_gap = gap;
    if (!(gap < before && gap < soon * t.period())) return;
    auto state = *x, still = *rest;
    const auto in = *u;
    for (Eigen::Index i = 0; i < state.size(); ++i) {
      if (!(state[i] * in[i] < 0 && 2 * std::abs(state[i]) < gap * std::abs(in[i])) || limits(i).limited(0) != 0)
        continue;
      state[i] = 0;
      still[i] = in[i] > 0 ? 1 : -1;
    }
  }
};

} // namespace hilda
