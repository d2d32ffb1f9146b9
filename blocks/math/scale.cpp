// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Scale : Block {
  Input<double> factor{*this, "factor", "@f", "One number"};
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@f*@u", "factor u"};

  void output(const Tick&) override { y = *factor * *u; }
};

HILDA_BLOCK(Scale, "Multiplies a signal of any shape by a signal of one number: y = factor u.")
} // namespace
