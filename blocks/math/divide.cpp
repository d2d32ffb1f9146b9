// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

template <int N> struct Divide : Block {
  Input<Elements<N>> a{*this, "a", "*s", "@a", "Dividend, any shape"};
  Input<Elements<N>> b{*this, "b", "*s", "@b", "Divisor, the same shape"};
  Output<Elements<N>> y{*this, "y", "*s", "@a/@b", "a / b, element by element"};

  void output(const Tick&) override { y = *a / *b; }
};

HILDA_BLOCK_VARIANTS(
    "Divide",
    "Divides two signals element by element: y_i = a_i / b_i. A divisor of 0 gives an infinity, which goes its "
    "way; 0 / 0 gives NaN, which fails the run at that tick. Where 0 is to be expected, keep it away with a Switch.",
    Divide<Dynamic>, Divide<1>, Divide<3>, Divide<6>)
} // namespace
