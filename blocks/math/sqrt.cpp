// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Sqrt : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Numbers, none below 0"};
  Output<Elements<>> y{*this, "y", "*s", "@u^(1/2)", "Square root"};
  Parameter<bool> keep_sign{*this, "keep_sign", "Negative numbers give minus the root of their size",
                            by_default("false")};

  void output(const Tick&) override {
    const bool both = *keep_sign;
    y = (*u).unaryExpr([both](double x) { return both ? std::copysign(std::sqrt(std::abs(x)), x) : std::sqrt(x); });
  }
};

HILDA_BLOCK(Sqrt, "Square root of each element. A negative number gives NaN, which fails the run at that tick, unless "
                  "keep_sign says otherwise.")
} // namespace
