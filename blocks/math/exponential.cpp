// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Exponential : Block {
  enum class Function { exp, ln, log10, log2 };

  Input<Elements<>> u{*this, "u", "*s", "1", "Numbers without a unit"};
  Output<Elements<>> y{*this, "y", "*s", "1", "Value of the function"};
  Parameter<Function> function{*this, "function", "Which function", by_default("exp")};

  void output(const Tick&) override {
    switch (*function) {
    case Function::exp: y = (*u).unaryExpr([](double x) { return std::exp(x); }); break;
    case Function::ln: y = (*u).unaryExpr([](double x) { return std::log(x); }); break;
    case Function::log10: y = (*u).unaryExpr([](double x) { return std::log10(x); }); break;
    case Function::log2: y = (*u).unaryExpr([](double x) { return std::log2(x); }); break;
    }
  }
};

HILDA_BLOCK(Exponential, "Exponential or logarithm of each element. The logarithm of 0 is -inf; that of a negative "
                         "number is NaN, which fails "
                         "the run at that tick.")
} // namespace
