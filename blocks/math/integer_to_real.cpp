// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct IntegerToReal : Block {
  Input<Integers> u{*this, "u", "*s", "", "Integers of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "1", "The nearest numbers: exact up to 2^53"};

  void output(const Tick&) override { y = (*u).cast<double>(); }
};

HILDA_BLOCK(IntegerToReal, "Turns integers into numbers.")
} // namespace
