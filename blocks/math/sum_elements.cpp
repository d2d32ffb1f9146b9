// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct SumElements : Block {
  enum class Result { sum, mean };

  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<double> y{*this, "y", "@u", "Sum of all elements, or their mean"};
  Parameter<Result> result{*this, "result", "Which of the two", by_default("sum")};

  void output(const Tick&) override { y = *result == Result::sum ? (*u).sum() : (*u).mean(); }
};

HILDA_BLOCK(SumElements, "Adds the elements of a vector or matrix: y = u_1 + u_2 + ..., or their mean.")
} // namespace
