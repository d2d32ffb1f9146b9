// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct RealToBool : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Numbers of any shape"};
  Output<Booleans> y{*this, "y", "*s", "", "True where u is not 0"};

  void output(const Tick&) override { y = (*u != 0.0).cast<std::uint8_t>(); }
};

HILDA_BLOCK(RealToBool, "Turns numbers into booleans: 0 is false, all else is true. For thresholds see Compare.")
} // namespace
