// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

template <int N> struct Product : Block {
  Input<Elements<N>> a{*this, "a", "*s", "@a", "First factor, any shape"};
  Input<Elements<N>> b{*this, "b", "*s", "@b", "Second factor, the same shape"};
  Output<Elements<N>> y{*this, "y", "*s", "@a*@b", "a b, element by element"};

  void output(const Tick&) override { y = *a * *b; }
};

HILDA_BLOCK_VARIANTS(
    "Product",
    "Multiplies two signals element by element: y_i = a_i b_i. A number times a vector is Scale, matrices "
    "are multiplied by MatrixProduct.",
    Product<Dynamic>, Product<1>, Product<3>, Product<6>)
} // namespace
