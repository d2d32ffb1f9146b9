// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct BoolToReal : Block {
  Input<Booleans> u{*this, "u", "*s", "", "Booleans of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "1", "1 where true, 0 where false"};

  void output(const Tick&) override { y = (*u).cast<double>(); }
};

HILDA_BLOCK(BoolToReal, "Turns booleans into the numbers 0 and 1.")
} // namespace
