// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

template <int N> struct Bias : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<N>> y{*this, "y", "*s", "@u", "u + bias"};
  PerElement<N> bias{*this, "bias", "@u", "Value to add: one number, or one for each element", live, difference};

  void configure(const Instance& self) override { bias.check(self, u.rows(), u.cols()); }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = in[i] + bias[i];
  }
};

HILDA_BLOCK_VARIANTS("Bias", "Adds a constant: y_i = u_i + bias_i.", Bias<Dynamic>, Bias<1>, Bias<3>, Bias<6>)
} // namespace
