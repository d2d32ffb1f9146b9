// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Round : Block {
  enum class To { nearest, down, up, zero };

  Input<Elements<>> u{*this, "u", "*s", "1", "Numbers of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "1", "Whole numbers"};
  Parameter<To> to{*this, "to", "Towards what; halves go away from 0", by_default("nearest")};

  void output(const Tick&) override {
    switch (*to) {
    case To::nearest: y = (*u).unaryExpr([](double x) { return std::round(x); }); break;
    case To::down: y = (*u).unaryExpr([](double x) { return std::floor(x); }); break;
    case To::up: y = (*u).unaryExpr([](double x) { return std::ceil(x); }); break;
    case To::zero: y = (*u).unaryExpr([](double x) { return std::trunc(x); }); break;
    }
  }
};

HILDA_BLOCK(Round, "Rounds each element to a whole number. For what has a unit, or other steps, see Quantizer.")
} // namespace
