#include "blocks/continuous/integral_limits.h"
#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* reset_integrator_doc =
    "Integrates over time, for each element, and is set to another value where a signal changes its sign: dy/dt = u, "
    "y(0) = initial or what drives start, and y = restart where trigger rises above zero or falls below it. With level "
    "it stays there while trigger is above zero. Where crossings are located that is at the very time, so a ball "
    "bounces as in a book; with a plain fixed step at the first tick behind it. A trigger that begins at zero does not "
    "fire. At a limit it stands still until u leads back.";

struct ResetIntegrator : Block {
  enum class Edge { rising, falling, either, level };

  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  Input<double> trigger{*this, "trigger", "@t", "Its changes of sign set the integral", in_update};
  Input<Elements<>> restart{*this,    "restart", "*s", "@u s", "What it is set to; where nothing drives it, initial",
                            optional, in_update};
  Input<Elements<>> first{*this,    "start",   "*s",  "@u s", "Value at the start; where nothing drives it, initial",
                          optional, in_update, primes};
  Output<Elements<>> y{*this, "y", "*s", "@u s", "The integral", from_state};
  Parameter<Edge> reset_on{*this, "reset_on", "Which changes count", by_default("rising")};
  Parameter<double> initial{*this, "initial", "@u s", "Every element at the start", by_default("0")};
  PerElement<Dynamic> lower{*this, "lower", "@u s", "Smallest integral", live, by_default("-inf")};
  PerElement<Dynamic> upper{*this, "upper", "@u s", "Largest integral", live, by_default("inf")};
  ContinuousState<Elements<>> x{*this, "x", "*s", "@u s", "Integral"};
  State<double> side{*this, "side", "", "The trigger's sign when it was last known: -1, 0 or 1"};
  State<Elements<>> place{
      *this, "place", "*s", "", "Since the last event: 1 and -1 at the upper and lower limit, else 0", modal};

  Crossing<double> edge{*this, "edge", "@t", "The trigger"};
  Crossing<Elements<>> left{*this, "left", "*s", "@u s", "How far it is from a limit; at one, how u keeps it there"};

  void configure(const Instance& self) override {
    for (const auto* p : {&lower, &upper}) p->check(self, u.rows(), u.cols());
    check_order(self, lower, upper);
  }
  void initialize(const Instance&) override {
    (*x).setConstant(*initial);
    (*place).setZero();
    limit();
  }
  void prime(const Tick&) override {
    if (first.connected()) x = *first;
    limit();
  }
  void state_output(const Tick& t) override {
    const auto state = *x;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = t.located() ? state[i] : limits(i).limited(state[i]);
  }
  void derivative(const Tick& t) override {
    const auto in = *u;
    const auto state = *x, at = *place;
    double* const slope = x.dot().data();
    const bool high = t.located() ? edge.positive(*trigger) : *trigger > 0;
    const bool stays = *reset_on == Edge::level && high;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      if (t.located()) left.positive(stays ? 1 : limits(i).left(at[i], state[i], in[i]), i);
      slope[i] = stays ? 0 : t.located() ? limits(i).slope(at[i], left.side(i), state[i], in[i]) : in[i];
    }
  }
  void project(const Tick& t) override {
    if (!t.located()) limit();
  }
  void event(const Tick&, const Fired& fired) override {
    pass(fired.direction(edge));
    auto state = *x, at = *place;
    const auto in = *u;
    for (Eigen::Index i = 0; i < state.size(); ++i) {
      const int changed = fired.direction(left, i);
      if (changed != 0)
        at[i] = limits(i).next(at[i], changed < 0, state[i], in[i]);
      else
        at[i] = limits(i).place(state[i], in[i]); // steps begin anew, or the trigger has set it
    }
  }
  void update(const Tick&) override { pass(int(*trigger > 0) - int(*trigger < 0)); }

private:
  IntegralLimits limits(Eigen::Index i) const { return {lower[i], upper[i]}; }
  void limit() {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limits(i).limited(state[i]);
  }
  /// The trigger has this sign now.
  void pass(int now) {
    if (now == 0) return;
    const bool changed = *side * now < 0,
               wanted = *reset_on == Edge::either || (*reset_on == Edge::falling) == (now < 0);
    side = now;
    if (*reset_on == Edge::level ? now < 0 : !changed || !wanted) return;
    if (restart.connected())
      x = *restart;
    else
      (*x).setConstant(*initial);
    limit();
  }
};

HILDA_BLOCK(ResetIntegrator, reset_integrator_doc)
} // namespace
