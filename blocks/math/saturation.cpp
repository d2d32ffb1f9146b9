#include <hilda/per_element.h>

namespace {
using namespace hilda;

template <int N> struct Saturation : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<N>> y{*this, "y", "*s", "@u", "u within the limits"};
  PerElement<N> lower{*this, "lower",           "@u", "Smallest value: one number, or one for each element",
                      live,  by_default("-inf")};
  PerElement<N> upper{*this, "upper",          "@u", "Largest value: one number, or one for each element",
                      live,  by_default("inf")};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
    check_order(self, lower, upper);
  }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    // NaN passes: it must reach the engine's test.
    for (Eigen::Index i = 0; i < in.size(); ++i)
      out[i] = in[i] < lower[i] ? lower[i] : in[i] > upper[i] ? upper[i] : in[i];
  }
};

HILDA_BLOCK_VARIANTS("Saturation", "Limits each element: y_i = min(max(u_i, lower_i), upper_i).", Saturation<Dynamic>,
                     Saturation<1>, Saturation<3>, Saturation<6>)
} // namespace
