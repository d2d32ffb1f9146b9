// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Abs : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "|u|, element by element"};

  Crossing<Elements<>> bend{*this, "bend", "*s", "@u", "u itself: its sign chooses the side"};

  void output(const Tick& t) override {
    if (t.located()) return turn_as_sides_say();
    y = (*u).abs();
  }

private:
  void turn_as_sides_say() {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = bend.positive(in[i], i) ? in[i] : -in[i];
  }
};

HILDA_BLOCK(Abs, "Absolute value of each element: y_i = |u_i|. The length of a vector is Norm.")
} // namespace
