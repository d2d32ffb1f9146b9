#include "blocks/continuous/integral_limits.h"
#include <hilda/per_element.h>

namespace {
using namespace hilda;

template <int N> struct Integrator : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  Output<Elements<N>> y{*this, "y", "*s", "@u s", "Its integral", from_state};
  PerElement<N> initial{*this, "initial", "@u s", "Integral at the start: one number, or one for each element",
                        by_default("0")};
  PerElement<N> lower{*this, "lower", "@u s", "Smallest integral", live, by_default("-inf")};
  PerElement<N> upper{*this, "upper", "@u s", "Largest integral", live, by_default("inf")};
  ContinuousState<Elements<N>> x{*this, "x", "*s", "@u s", "Integral"};
  State<Elements<N>> place{
      *this, "place", "*s", "", "Since the last event: 1 and -1 at the upper and lower limit, else 0", modal};

  Crossing<Elements<N>> left{*this, "left", "*s", "@u s", "How far it is from a limit; at one, how u keeps it there"};

  void configure(const Instance& self) override {
    for (const auto* p : {&initial, &lower, &upper}) p->check(self, u.rows(), u.cols());
    check_order(self, lower, upper);
  }
  void initialize(const Instance&) override {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limits(i).limited(initial[i]);
    (*place).setZero();
  }
  // A solver's stages may pass a limit: project() then leads back to it, or an event is located there.
  void state_output(const Tick& t) override {
    const auto state = *x;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = t.located() ? state[i] : limits(i).limited(state[i]);
  }
  void derivative(const Tick& t) override {
    if (t.located()) return move_as_sides_say();
    x.dot() = *u;
  }
  void project(const Tick& t) override {
    if (t.located()) return;
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limits(i).limited(state[i]);
  }
  void event(const Tick&, const Fired& fired) override {
    auto state = *x, at = *place;
    const auto in = *u;
    for (Eigen::Index i = 0; i < state.size(); ++i)
      if (fired.none() || fired.direction(left, i) != 0)
        at[i] = limits(i).next(at[i], fired.direction(left, i) < 0, state[i], in[i]);
  }

private:
  IntegralLimits limits(Eigen::Index i) const { return {lower[i], upper[i]}; }
  void move_as_sides_say() {
    const auto in = *u;
    const auto state = *x, at = *place;
    double* const slope = x.dot().data();
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      left.positive(limits(i).left(at[i], state[i], in[i]), i);
      slope[i] = limits(i).slope(at[i], left.side(i), state[i], in[i]);
    }
  }
};

HILDA_BLOCK_VARIANTS(
    "Integrator",
    "Integrates over time, for each element: dy/dt = u, y(0) = initial. At a limit it stands still until u leads "
    "back. With a reset: ResetIntegrator.",
    Integrator<Dynamic>, Integrator<1>, Integrator<3>, Integrator<6>)
} // namespace
