// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct ZeroOrderHold : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u at the last sample"};

  void configure(const Instance& self) override {
    if (self.continuous())
      self.report(nullptr, "runs at the continuous rate of its input and holds nothing; give the block a sample_time");
  }
  void output(const Tick&) override { y = *u; }
};

HILDA_BLOCK(ZeroOrderHold, "Samples a signal at the block's sample_time and holds it in between.")
} // namespace
