// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

template <int N> struct Saturation : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<N>> y{*this, "y", "*s", "@u", "u within the limits", between("lower", "upper")};
  PerElement<N> lower{*this, "lower",           "@u", "Smallest value: one number, or one for each element",
                      live,  by_default("-inf")};
  PerElement<N> upper{*this, "upper",          "@u", "Largest value: one number, or one for each element",
                      live,  by_default("inf")};
  Crossing<Elements<N>> above{*this, "above", "*s", "@u", "How far u is above the upper limit"};
  Crossing<Elements<N>> below{*this, "below", "*s", "@u", "How far u is below the lower limit"};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void output(const Tick& t) override {
    if (t.located()) return limit_as_sides_say();
    const auto in = *u;
    auto out = *y;
    // NaN passes: it must reach the engine's test.
    for (Eigen::Index i = 0; i < in.size(); ++i)
      out[i] = in[i] < lower[i] ? lower[i] : in[i] > upper[i] ? upper[i] : in[i];
  }

private:
  void limit_as_sides_say() {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const bool low = below.positive(lower[i] - in[i], i), high = above.positive(in[i] - upper[i], i);
      out[i] = low ? lower[i] : high ? upper[i] : in[i];
    }
  }
};

HILDA_BLOCK_VARIANTS("Saturation", "Limits each element: y_i = min(max(u_i, lower_i), upper_i).", Saturation<Dynamic>,
                     Saturation<1>, Saturation<3>, Saturation<6>)
} // namespace
