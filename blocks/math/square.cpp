// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Square : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u^2", "u_i^2"};

  void output(const Tick&) override { y = (*u).square(); }
};

HILDA_BLOCK(Square, "Square of each element: y_i = u_i^2.")
} // namespace
