#pragma once

#include "blocks/continuous/integral_limits.h"
#include <hilda/per_element.h>

namespace hilda {

enum class ResetOn { rising, falling, either, level };

/// An integral with limits that a trigger sets to another value. `Trigger` declares the input that says when: its
/// name and unit, what it is by default, and distance(), whose sign is what counts.
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
  State<double> side{*this, "side", "", "The trigger's sign when it was last known: -1, 0 or 1", modal};
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
    side = 0;
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
  void event(const Tick&, const Fired& fired) override {
    const int turned = trigger.connected() ? fired.direction(edge) : 0;
    turn(turned);
    auto state = *x, at = *place;
    const auto in = *u;
    for (Eigen::Index i = 0; i < state.size(); ++i) {
      const int changed = fired.direction(left, i);
      if (fired.none() || turned != 0 || changed != 0) at[i] = limits(i).next(at[i], changed < 0, state[i], in[i]);
    }
  }
  /// Where nothing locates its changes they count at ticks.
  void update(const Tick&) override {
    keep_limits();
    if (!trigger.connected()) return;
    const double distance = trigger.distance();
    turn(int(distance > 0) - int(distance < 0));
  }

private:
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
  /// Where it meets a limit, and when it leaves it, is located for one that stands.
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
    const auto state = *x, at = *place;
    double* const slope = x.dot().data();
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      left.positive(stays ? 1 : limits(i).left(at[i], state[i], in[i]), i);
      slope[i] = stays ? 0 : limits(i).slope(at[i], left.side(i), state[i], in[i]);
    }
  }
  /// The trigger has this sign now.
  void turn(int now) {
    if (now == 0) return;
    const bool changed = *side * now < 0,
               wanted = *reset_on == ResetOn::either || (*reset_on == ResetOn::falling) == (now < 0);
    side = now;
    if (*reset_on == ResetOn::level ? now < 0 : !changed || !wanted) return;
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i)
      state[i] = limits(i).limited(restart.connected() ? (*restart)[i] : initial[i]);
  }
};

} // namespace hilda
