// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

template <int N> struct Switch : Block {
  Input<bool> condition{*this, "condition", "Which one"};
  Input<Elements<N>> when_true{*this, "when_true", "*s", "@u", "Signal of any shape"};
  Input<Elements<N>> when_false{*this, "when_false", "*s", "@u", "Another of the same shape and unit"};
  Output<Elements<N>> y{*this, "y", "*s", "@u", "One of the two"};

  void output(const Tick&) override {
    if (*condition)
      y = *when_true;
    else
      y = *when_false;
  }
};

HILDA_BLOCK_VARIANTS("Switch", "Passes one of two signals: when_true where the condition is true, else when_false.",
                     Switch<Dynamic>, Switch<1>, Switch<3>, Switch<6>)
} // namespace
