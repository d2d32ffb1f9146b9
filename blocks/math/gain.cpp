// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

template <int N> struct Gain : Block {
  Input<Elements<N>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<N>> y{*this, "y", "*s", "@gain*@u", "gain u"};
  PerElement<N> gain{*this, "gain", "@gain", "Factor: one number, or one for each element", live, difference};

  void configure(const Instance& self) override { gain.check(self, u.rows(), u.cols()); }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = gain[i] * in[i];
  }
  /// In a chain each value is the one that was just computed: handed on in a register, it need not go through memory.
  static void output_row(Row<Gain> row) requires(N == 1) {
    const double* at = nullptr;
    double value = 0;
    for (Gain& block : row) {
      const double* in = (*block.u).data();
      if (in != at) value = *in;
      at = block.y.data();
      value = block.gain[0] * value;
      *block.y.data() = value;
    }
  }
};

HILDA_BLOCK_VARIANTS(
    "Gain", "Multiplies each element by a number: y_i = gain_i u_i. For a matrix times a vector see MatrixGain.",
    Gain<Dynamic>, Gain<1>, Gain<3>, Gain<6>)
} // namespace
