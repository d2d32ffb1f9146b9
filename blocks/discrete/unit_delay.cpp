// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

template <int N> struct UnitDelay : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  Output<Elements<N>> y{*this, "y", "*s", "@u", "u one sample time ago", from_state};
  PerElement<N> initial{*this, "initial", "@u", "Output at the first tick: one number, or one for each element",
                        by_default("0")};
  State<Elements<N>> held{*this, "held", "*s", "@u", "The next output"};

  void configure(const Instance& self) override { initial.check(self, u.rows(), u.cols()); }
  void initialize(const Instance&) override {
    auto state = *held;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void state_output(const Tick&) override { y = *held; }
  void update(const Tick&) override { held = *u; }
};

HILDA_BLOCK_VARIANTS("UnitDelay", "Delays a signal by one sample time: y(k) = u(k - 1). Breaks loops of feedthrough.",
                     UnitDelay<Dynamic>, UnitDelay<1>, UnitDelay<3>, UnitDelay<6>)
} // namespace
