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

  void configure(const Instance& self) override {
    for (const auto* p : {&initial, &lower, &upper}) p->check(self, u.rows(), u.cols());
    check_order(self, lower, upper);
  }
  void initialize(const Instance&) override {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limited(i, initial[i]);
  }
  void state_output(const Tick&) override {
    const auto state = *x;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = limited(i, state[i]);
  }
  // The solver's stages may pass a limit; project() then leads back to it.
  void derivative(const Tick&) override { x.dot() = *u; }
  void project(const Tick&) override {
    auto state = *x;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = limited(i, state[i]);
  }

private:
  double limited(Eigen::Index i, double v) const { return v < lower[i] ? lower[i] : v > upper[i] ? upper[i] : v; }
};

HILDA_BLOCK_VARIANTS("Integrator",
                     "Integrates over time, for each element: dy/dt = u, y(0) = initial. At a limit it stands still.",
                     Integrator<Dynamic>, Integrator<1>, Integrator<3>, Integrator<6>)
} // namespace
