// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Dot : Block {
  Input<Elements<>> a{*this, "a", "*s", "@a", "Left factor, any shape"};
  Input<Elements<>> b{*this, "b", "*s", "@b", "Right factor, the same shape"};
  Output<double> y{*this, "y", "@a*@b", "Sum of a_i b_i"};

  void output(const Tick&) override { y = (*a * *b).sum(); }
};

HILDA_BLOCK(Dot, "Scalar product: y = a_1 b_1 + a_2 b_2 + ...")
} // namespace
