// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Sign : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "1", "-1, 0 or 1"};

  Crossing<Elements<>> jump{*this, "jump", "*s", "@u", "u itself: where its sign changes"};

  void output(const Tick& t) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i)
      out[i] = std::isnan(in[i]) ? in[i] : double(in[i] > 0) - double(in[i] < 0);
    if (!t.located()) return;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const bool positive = jump.positive(in[i], i);
      if (jump.side(i) != 0) out[i] = positive ? 1 : -1;
    }
  }
};

HILDA_BLOCK(Sign, "Sign of each element: -1 below 0, 0 at 0, 1 above.")
} // namespace
